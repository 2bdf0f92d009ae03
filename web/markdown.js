// The little Markdown of reports. Everything becomes text in elements, never markup.

import { h } from './dom.js';

const HEADING = /^(#{1,6}) +(.*)$/;
const ITEM = /^[-*] +(.*)$/;
const FENCE = /^```/;
/** Charts are shown beside the report. */
const IMAGE = /^!\[[^\]]*\]\([^)]*\)$/;
/** The line below the head of a table; a colon at the end of a column puts it to the right. */
const RULE = /^\|(?: *:?-+:? *\|)+$/;
const isRow = (line) => line.startsWith('|') && line.endsWith('|') && line.length > 1;

/** The parts of a text: headings, tables, lists, code and paragraphs, as plain values. */
export function blocks(text) {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const found = [];
  for (let at = 0; at < lines.length;) {
    const { block, next } = blockAt(lines, at);
    if (block) found.push(block);
    at = next;
  }
  return found;
}

/** The part that begins at a line, null for what is not shown, and the line after it. */
function blockAt(lines, at) {
  const line = lines[at];
  if (line === '' || IMAGE.test(line)) return { block: null, next: at + 1 };
  const heading = line.match(HEADING);
  if (heading) return { block: { kind: 'heading', level: heading[1].length, text: heading[2] }, next: at + 1 };
  if (FENCE.test(line)) {
    const end = endOf(lines, at + 1, (other) => !FENCE.test(other));
    return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
  }
  if (isTable(lines, at)) {
    const end = endOf(lines, at + 2, isRow);
    return { block: table(lines.slice(at, end)), next: end };
  }
  if (ITEM.test(line)) {
    const end = endOf(lines, at, (other) => ITEM.test(other));
    return { block: { kind: 'list', items: lines.slice(at, end).map((other) => other.match(ITEM)[1]) }, next: end };
  }
  const end = endOf(lines, at + 1, (other, index) => other !== '' && !beginsBlock(lines, index));
  return { block: { kind: 'paragraph', text: lines.slice(at, end).join(' ') }, next: end };
}

const isTable = (lines, at) => isRow(lines[at]) && RULE.test(lines[at + 1] ?? '');

function beginsBlock(lines, at) {
  return [HEADING, FENCE, ITEM, IMAGE].some((pattern) => pattern.test(lines[at])) || isTable(lines, at);
}

/** The first line from `at` on that does not belong. */
function endOf(lines, at, belongs) {
  const end = lines.findIndex((line, index) => index >= at && !belongs(line, index));
  return end < 0 ? lines.length : end;
}

function table([head, rule, ...rows]) {
  return {
    kind: 'table',
    right: cells(rule).map((cell) => cell.endsWith(':')),
    head: cells(head),
    rows: rows.map(cells),
  };
}

/** A bar that belongs to a cell has a backslash before it. */
function cells(row) {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** A report as elements. */
export function drawMarkdown(text) {
  return blocks(text).map((block) => DRAW[block.kind](block));
}

/** The page has its own heading of the first level, and one of the second for the run. */
const DRAW = {
  heading: ({ level, text }) => h(`h${Math.min(6, level + 2)}`, {}, inline(text)),
  paragraph: ({ text }) => h('p', {}, inline(text)),
  list: ({ items }) =>
    h(
      'ul',
      {},
      items.map((item) => h('li', {}, inline(item))),
    ),
  code: ({ text }) => h('pre', {}, text),
  table: ({ head, rows, right }) => {
    const cell = (tag, attributes) => (text, column) =>
      h(tag, { ...attributes, class: right[column] ? 'number' : null }, inline(text));
    return h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, head.map(cell('th', { scope: 'col' })))),
        h(
          'tbody',
          {},
          rows.map((row) => h('tr', {}, row.map(cell('td', {})))),
        ),
      ),
    );
  },
};

/** `code` and **what matters** inside a line. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return h('code', {}, part.slice(1, -1));
    return /^\*\*.+\*\*$/.test(part) ? h('strong', {}, part.slice(2, -2)) : part;
  });
}
