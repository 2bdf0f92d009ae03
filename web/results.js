// Runs with their charts and reports, which are drawn again while the runs go on.

import { get, getText } from './api.js';
import { h, replace } from './dom.js';
import { drawMarkdown } from './markdown.js';
import { repeat } from './repeat.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

const REFRESH = 10_000;

export async function open(host, { id }, signal) {
  const status = new StatusLine();
  const content = h('div', { class: 'stack' });
  const show = id === null ? listDrawer(content) : runDrawer(content, id, status);
  const refresh = () => status.watch(async () => show((await get('/results')).runs));
  replace(host, h('h1', {}, texts.results.title), status.element, content);
  await refresh();
  repeat(refresh, REFRESH, signal);
}

/** Draws the list when it has changed. */
function listDrawer(content) {
  let drawn = null;
  return (runs) => {
    const state = JSON.stringify(runs);
    if (state !== drawn) replace(content, runList(runs));
    drawn = state;
  };
}

function runList(runs) {
  if (runs.length === 0) return h('p', { class: 'quiet-text' }, texts.results.none);
  return h(
    'ul',
    { class: 'rows' },
    runs.map(({ name, kind, updated, files }) =>
      h(
        'li',
        { class: 'row' },
        h(
          'div',
          { class: 'row-main' },
          h('strong', {}, name),
          h(
            'span',
            { class: 'quiet-text' },
            [texts.results.kinds[kind] ?? kind, texts.date(updated), texts.results.files(files.length)]
              .filter(Boolean)
              .join(' · '),
          ),
        ),
        h('a', { class: 'button', href: `#/results/${encodeURIComponent(name)}` }, texts.results.look),
      ),
    ),
  );
}

/** Draws one run again and again: what has not changed stays, so that nothing that is open closes. */
function runDrawer(content, name, status) {
  const when = h('p', { class: 'quiet-text' });
  const charts = h('div', { class: 'charts' });
  const files = h('div', { class: 'stack' });
  const shown = new Map();
  let drawn = null;
  replace(
    content,
    h('p', {}, h('a', { href: '#/results' }, texts.results.back)),
    h('h2', {}, name),
    when,
    charts,
    files,
  );
  return async (runs) => {
    const run = runs.find((candidate) => candidate.name === name);
    if (!run) throw new Error(texts.results.unknown);
    const state = JSON.stringify([run.updated, run.files]);
    if (state === drawn) return;
    when.textContent = [texts.results.kinds[run.kind] ?? run.kind, texts.date(run.updated)].join(' · ');
    await drawCharts(charts, run);
    for (const file of run.files.filter((other) => !other.endsWith('.svg'))) {
      if (!shown.has(file)) shown.set(file, textFile(name, file, file.endsWith('.md'), status));
      else await shown.get(file).reload();
    }
    replace(
      files,
      [...shown.values()].map(({ element }) => element),
    );
    drawn = state;
  };
}

const fileAddress = (run, file) => `/results/${encodeURIComponent(run)}/${encodeURIComponent(file)}`;

/** Charts come through the API, because an image cannot show the server's token. */
async function drawCharts(charts, run) {
  const files = run.files.filter((file) => file.endsWith('.svg'));
  const images = await Promise.all(
    files.map(async (file) => {
      const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await getText(fileAddress(run.name, file)))}`;
      const title = file.replace(/\.svg$/, '').replaceAll(/[-_]/g, ' ');
      return h('figure', {}, h('img', { src: source, alt: title }), h('figcaption', {}, title));
    }),
  );
  replace(charts, images);
}

/** A text that is loaded when it is opened, and again when it has changed. */
function textFile(run, file, open, status) {
  const isReport = file.endsWith('.md');
  const body = h(isReport ? 'div' : 'pre', { class: isReport ? 'report' : 'file-text' });
  const load = async () => {
    const text = await getText(fileAddress(run, file));
    replace(body, isReport ? drawMarkdown(text) : text);
  };
  const element = h(
    'details',
    { class: 'panel', open, ontoggle: () => element.open && status.watch(load) },
    h('summary', {}, file),
    body,
  );
  return { element, reload: async () => element.open && load() };
}
