// A search tree to explore: children are drawn when a node is opened.

import { button, h } from './dom.js';
import { seatIcon } from './pieces.js';
import { texts } from './texts.js';

const MOST_CHILDREN = 20;

/** `nodes` are the server's, root first: {parent, action, player, visits, value, prior, availability, proven}. */
export function drawTree(nodes) {
  const children = childrenByVisits(nodes);
  return h('ul', { class: 'tree' }, drawNode(nodes, children, 0, 1, true));
}

/** Indices of the children of each node, the most visited first. */
export function childrenByVisits(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => parent !== null && parent !== undefined && children[parent].push(index));
  children.forEach((list) => list.sort((a, b) => nodes[b].visits - nodes[a].visits));
  return children;
}

function drawNode(nodes, children, index, share, open) {
  const node = nodes[index];
  const inner = h('ul', { hidden: !open });
  const fill = () => {
    if (inner.childElementCount === 0) inner.append(...drawChildren(nodes, children, index));
  };
  if (open) fill();
  const toggle = children[index].length
    ? button(
        open ? '▾' : '▸',
        () => {
          fill();
          inner.hidden = !inner.hidden;
          toggle.textContent = inner.hidden ? '▸' : '▾';
          toggle.setAttribute('aria-expanded', String(!inner.hidden));
        },
        {
          class: 'tree-toggle',
          'aria-expanded': String(open),
          'aria-label': texts.analysis.open(node.action ?? texts.analysis.root),
        },
      )
    : h('span', { class: 'tree-toggle' });
  return h(
    'li',
    {},
    h(
      'div',
      { class: 'tree-row' },
      toggle,
      visitsBadge(node.visits, share),
      typeof node.player === 'number' ? seatIcon(node.player) : null,
      h('span', { class: 'tree-action' }, node.action ?? texts.analysis.root),
      h('span', { class: 'tree-numbers' }, numbersOf(node)),
    ),
    inner,
  );
}

/** Nodes are coloured by their visits among their siblings: white to blue. */
function drawChildren(nodes, children, parent) {
  const all = children[parent];
  const most = Math.max(1, nodes[all[0]]?.visits ?? 1);
  const draw = (list) => list.map((index) => drawNode(nodes, children, index, nodes[index].visits / most, false));
  const rest = all.slice(MOST_CHILDREN);
  if (rest.length === 0) return draw(all);
  const more = h(
    'li',
    {},
    button(texts.lists.more(rest.length), () => more.replaceWith(...draw(rest)), { class: 'quiet' }),
  );
  return [...draw(all.slice(0, MOST_CHILDREN)), more];
}

function visitsBadge(visits, share) {
  const badge = h('span', { class: 'tree-visits', title: texts.analysis.meaning.visits }, String(visits));
  badge.style.setProperty('--share', `${Math.round(share * 100)}%`);
  if (share > 0.55) badge.classList.add('many');
  return badge;
}

function numbersOf({ value, prior, availability, proven }) {
  return [
    ['value', value?.toFixed(3)],
    ['prior', prior?.toFixed(3)],
    ['availability', availability],
    ['proven', proven && [proven].flat().join(' / ')],
  ]
    .filter(([, text]) => text !== null && text !== undefined)
    .map(([name, text]) => `${texts.analysis.columns[name].toLowerCase()} ${text}`)
    .join(' · ');
}
