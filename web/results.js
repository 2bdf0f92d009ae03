// Runs with their charts and reports; those of training are drawn again while they go on.

import { get, getText } from './api.js';
import { h, replace } from './dom.js';
import { StatusLine } from './status.js';
import { texts } from './texts.js';

const REFRESH = 10_000;

export async function open(host, { id }, signal) {
  const status = new StatusLine();
  const content = h('div', { class: 'stack' });
  replace(host, h('h1', {}, texts.results.title), status.element, content);
  const found = await status.watch(() => get('/results'));
  if (!found) return;
  if (id === null) replace(content, runList(found.runs));
  else
    await showRun(
      content,
      found.runs.find(({ name }) => name === id),
      status,
      signal,
    );
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

async function showRun(content, run, status, signal) {
  if (!run) {
    replace(content, h('p', { class: 'problem' }, texts.results.unknown));
    return;
  }
  const charts = h('div', { class: 'charts' });
  const others = run.files.filter((file) => !file.endsWith('.svg'));
  replace(
    content,
    h('p', {}, h('a', { href: '#/results' }, texts.results.back)),
    h('h2', {}, run.name),
    h('p', { class: 'quiet-text' }, [texts.results.kinds[run.kind] ?? run.kind, texts.date(run.updated)].join(' · ')),
    charts,
    others.map((file) => textFile(run.name, file, file.endsWith('.md'), status)),
  );
  const draw = () => status.watch(() => drawCharts(charts, run));
  await draw();
  if (run.kind !== 'training') return;
  const timer = setInterval(() => document.hidden || draw(), REFRESH);
  signal.addEventListener('abort', () => clearInterval(timer));
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

/** A text that is loaded when it is opened. */
function textFile(run, file, open, status) {
  const body = h('pre', { class: 'file-text' });
  const load = () =>
    body.textContent ||
    status.watch(async () => {
      body.textContent = await getText(fileAddress(run, file));
    });
  return h(
    'details',
    { class: 'panel', open, ontoggle: ({ target }) => target.open && load() },
    h('summary', {}, file),
    body,
  );
}
