// A little picture for each game of the catalogue, put together from boards and cards. A game that is
// not known here gets a board or a fan of cards.

import { drawBoard } from './board.js';
import { cardGraphic } from './cards.js';
import { h } from './dom.js';

/** A board from rows of characters: digits are pieces of seats, `#` is dark, a space is no site. */
function board(rows, { shape = 'square', shift = 0, tone = 'plain', texts = [] } = {}) {
  const sites = rows.flatMap((row, y) =>
    [...row].flatMap((character, x) =>
      character === ' '
        ? []
        : [
            {
              pick: '',
              x: x + 0.5 + shift * y,
              y: y + 0.5,
              shape,
              size: 0.96,
              tone:
                character === '#' || (tone === 'chequered' && (x + y) % 2 === 1)
                  ? 'dark'
                  : tone === 'chequered'
                    ? 'light'
                    : tone,
              text: texts[y]?.[x],
              pieces: /\d/.test(character) ? [{ seat: Number(character), count: 1 }] : [],
            },
          ],
    ),
  );
  const width = Math.max(...sites.map(({ x }) => x)) + 0.5;
  return drawBoard({ width, height: rows.length, sites }, 0).svg;
}

/** A star of points with the corners of two seats. */
function star() {
  const rows = ['   1   ', '  1 1  ', '. . . .', ' . . . ', '. . . .', '  0 0  ', '   0   '];
  const sites = rows.flatMap((row, y) =>
    [...row].flatMap((character, x) =>
      character === ' '
        ? []
        : [
            {
              pick: '',
              x: x / 2 + 0.5,
              y: y * 0.87 + 0.5,
              shape: 'circle',
              size: 0.9,
              tone: 'plain',
              pieces: character === '.' ? [] : [{ seat: Number(character), count: 1 }],
            },
          ],
    ),
  );
  return drawBoard({ width: 4, height: 6.2, sites }, 0).svg;
}

/** A round track with marbles of four seats. */
function track() {
  const sites = Array.from({ length: 20 }, (_, n) => {
    const angle = (n / 20) * 2 * Math.PI;
    const start = n % 5 === 0 ? n / 5 : null;
    return {
      pick: '',
      x: 3 + Math.sin(angle) * 2.45,
      y: 3 + Math.cos(angle) * 2.45,
      shape: 'circle',
      size: 0.68,
      tone: start === null ? 'plain' : { seat: start },
      pieces: n % 5 === 2 ? [{ seat: (n - 2) / 5, count: 1 }] : [],
    };
  });
  return drawBoard({ width: 6, height: 6, sites }, 0).svg;
}

/** Cards side by side; a text is a rank and the first letter of a suit, `?` lies face down. */
function fan(...cards) {
  const suits = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };
  return h(
    'div',
    { class: 'fan' },
    cards.map((text, n) => {
      const suit = suits[text.at(-1)];
      const face = text === '?' ? null : { rank: suit ? text.slice(0, -1) : text, suit };
      const card = h('span', { class: `card ${suit ? `suit-${suit}` : ''}` }, cardGraphic(face));
      card.style.transform = `rotate(${(n - (cards.length - 1) / 2) * 9}deg)`;
      return card;
    }),
  );
}

const DRAWINGS = {
  'tic-tac-toe': () => board(['..1', '.0.', '0..']),
  'connect-four': () => board(['.....', '..1..', '.101.', '00101'], { shape: 'circle' }),
  breakthrough: () => board(['1111', '.1..', '..0.', '0000'], { tone: 'chequered' }),
  'lines-of-action': () => board(['.00.', '1..1', '1.0.', '.0.1'], { tone: 'chequered' }),
  just4fun: () =>
    board(['.0.', '01.', '1.0'], {
      texts: [
        ['36', '', '12'],
        ['', '', '7'],
        ['', '21', ''],
      ],
    }),
  sueca: () => fan('As', '7s', 'Kd', 'Jh'),
  bisca: () => fan('?', 'Ac', '7c', '2h'),
  hearts: () => fan('Qs', 'Ah', 'Kh', '2c'),
  keezen: track,
  'chinese-checkers': star,
  'kuhn-poker': () => fan('J', 'Q', 'K'),
  'leduc-poker': () => fan('?', 'Q', 'K'),
};

export function drawingOf(game) {
  const draw =
    DRAWINGS[game.name] ??
    (game.hidden ? () => fan('?', 'A', 'K') : () => board(['1.1', '...', '0.0'], { tone: 'chequered' }));
  const drawing = draw();
  drawing.removeAttribute('role');
  drawing.setAttribute('aria-hidden', 'true');
  return h('div', { class: 'drawing' }, drawing);
}
