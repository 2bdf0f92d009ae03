// The frame of the page and which part of it an address shows. Addresses are in the hash.

import { button, h, replace } from './dom.js';
import { texts } from './texts.js';

/** Each module exports open(host, {id, query}, signal); the signal says when the page is left. */
const PAGES = {
  '': () => import('./home.js'),
  table: () => import('./table.js'),
  review: () => import('./review.js'),
  setup: () => import('./setup.js'),
  games: () => import('./games.js'),
  results: () => import('./results.js'),
  competitions: () => import('./competitions.js'),
};

const LINKS = [
  ['', texts.nav.play],
  ['games', texts.nav.games],
  ['setup', texts.nav.setup],
  ['results', texts.nav.results],
  ['competitions', texts.nav.competitions],
];

const host = h('main', { id: 'main', tabindex: '-1' });
const nav = h('nav', { 'aria-label': texts.nav.label });
let leave = new AbortController();

/** `#/review/k3f9?at=12` is page review, id k3f9, query at=12. */
function address() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [page, ...id] = path.split('/');
  return { page, id: id.length ? decoded(id.join('/')) : null, query: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const { page, id, query } = address();
  replace(
    nav,
    LINKS.map(([name, text]) => h('a', { href: `#/${name}`, 'aria-current': name === page ? 'page' : null }, text)),
  );
  document.title = texts.title;
  const content = h('div', { class: `page page-${page || 'home'}` });
  replace(host, content);
  try {
    const module = await (PAGES[page] ?? PAGES[''])();
    if (!signal.aborted) await module.open(content, { id, query }, signal);
  } catch (error) {
    if (!signal.aborted) content.append(...problem(error));
  }
}

function problem(error) {
  return [
    h('p', { class: 'problem', role: 'alert' }, error.message),
    h('p', {}, h('a', { class: 'button', href: '#/' }, texts.errors.home)),
  ];
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('meeple-theme', root.dataset.theme);
}

document.body.append(
  h(
    'a',
    {
      class: 'skip',
      href: '#main',
      onclick: (event) => {
        event.preventDefault();
        host.focus();
      },
    },
    texts.nav.skip,
  ),
  h(
    'header',
    { class: 'top' },
    h(
      'a',
      { class: 'brand', href: '#/', 'aria-label': texts.title },
      h('img', { src: '/web/icon.svg', alt: '', width: 26, height: 26 }),
      h('span', { class: 'brand-name' }, texts.title),
    ),
    nav,
    button('◐', switchTheme, { class: 'quiet theme-switch', 'aria-label': texts.nav.theme, title: texts.nav.theme }),
  ),
  host,
);
addEventListener('hashchange', show);
show();
