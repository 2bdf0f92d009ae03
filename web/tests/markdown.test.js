import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blocks } from '../markdown.js';

test('headings, tables, lists and paragraphs are told apart', () => {
  const text = [
    '# Title',
    '',
    'One line',
    'and another.',
    '',
    '| Agent | Wins |',
    '|---|--:|',
    '| `a \\| b` | 12 |',
    '| c | |',
    '![a chart](chart.svg)',
    '- first',
    '- second',
    '## Next',
    '```',
    '# no heading | here',
    '```',
  ].join('\n');
  assert.deepEqual(blocks(text), [
    { kind: 'heading', level: 1, text: 'Title' },
    { kind: 'paragraph', text: 'One line and another.' },
    {
      kind: 'table',
      right: [false, true],
      head: ['Agent', 'Wins'],
      rows: [
        ['`a | b`', '12'],
        ['c', ''],
      ],
    },
    { kind: 'list', items: ['first', 'second'] },
    { kind: 'heading', level: 2, text: 'Next' },
    { kind: 'code', text: '# no heading | here' },
  ]);
});

test('what looks like a table but is none stays text', () => {
  assert.deepEqual(blocks('a | b'), [{ kind: 'paragraph', text: 'a | b' }]);
  assert.deepEqual(blocks('| a |\nno rule'), [{ kind: 'paragraph', text: '| a | no rule' }]);
  assert.deepEqual(blocks('```\nnever closed'), [{ kind: 'code', text: 'never closed' }]);
  assert.deepEqual(blocks(''), []);
});
