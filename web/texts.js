// All that people read. Functions put values into a sentence.

const list = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);
const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const signed = (value) => `${value > 0 ? '+' : ''}${Number(value.toFixed(2))}`;

/** Names that are not just the words of the game's short name. */
const GAME_NAMES = { just4fun: 'Just 4 Fun', 'tic-tac-toe': 'Tic-tac-toe', 'lines-of-action': 'Lines of Action' };

export const texts = {
  title: 'Meeple',
  cancel: 'Cancel',
  agentExample: 'mcts:iterations=1000',
  gameName: (name) =>
    GAME_NAMES[name] ??
    name
      .split('-')
      .map((word) => word[0].toUpperCase() + word.slice(1))
      .join(' '),
  date: (text) => (text ? new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) : ''),
  status: { waiting: 'Waiting for players', playing: 'Playing', paused: 'Paused', over: 'Over', running: 'Running' },

  nav: {
    label: 'Main',
    skip: 'Skip to content',
    theme: 'Light or dark',
    play: 'Play',
    games: 'Games',
    setup: 'Set up',
    results: 'Results',
    competitions: 'Competitions',
  },

  home: {
    title: 'What shall we play?',
    lead: 'Choose a game and how strong your opponents are. Ask for a hint and see why.',
    players: (number) => count(number, 'player'),
    hidden: 'hidden cards',
    tables: 'Tables',
    actions: (number) => count(number, 'move'),
    join: 'Join',
    watch: 'Watch',
    goBack: 'Back to the table',
  },

  newTable: {
    someone: 'Guest',
    name: 'Your name',
    strength: 'Strength of your opponents',
    seats: 'Seats',
    seat: (number) => `Seat ${number}`,
    me: 'You',
    open: 'Open, for another person',
    agent: 'Another agent',
    bot: 'A bot',
    botName: 'Name of the bot',
    more: 'More: clock and rules',
    start: 'Play',
    clock: 'Clock',
    clocks: { none: 'No clock', move: 'For each move', fischer: 'For the game, with increment' },
    perMove: 'Seconds for a move',
    seconds: 'Seconds for the game',
    increment: 'More for each move',
    timeout: 'When time is up',
    timeouts: { random: 'A random move is played', loss: 'The game is lost' },
  },

  table: {
    board: 'Board',
    you: 'you',
    toMove: 'to move',
    score: 'Points',
    program: 'program',
    openSeat: 'Open seat',
    sit: 'Sit here',
    piece: (name, number, mark) => `${number > 1 ? `${number} × ` : ''}${name}${mark ? ` ${mark}` : ''}`,
    hint: 'Hint',
    flip: 'Turn the board',
    pause: 'Pause',
    resume: 'Go on',
    resign: 'Resign',
    reallyResign: 'Really resign?',
    link: 'Copy link',
    linkCopied: 'Copied',
    reconnecting: 'The connection is lost. Connecting again …',
    play: 'Play',
    undo: 'Undo',
    chosen: (picks) => `Chosen: ${picks}`,
    yourMove: 'It is your move.',
    yourMoveTitle: '● Your move – Meeple',
    theirMove: (name) => `${name} is to move.`,
    draw: 'Nobody wins',
    youWin: 'You win',
    wins: (names) => `${list(names)} ${names.length === 1 ? 'wins' : 'win'}`,
    scores: (scores) => `points ${scores.join(' : ')}`,
    rematch: 'Rematch',
    joinRematch: 'To the rematch',
    watchRematch: 'Watch the rematch',
    review: 'Review',
    export: 'Export the record',
  },

  cards: {
    hidden: 'Card face down',
    name: (rank, suit) => `${rank} of ${suit}`,
    ranks: { A: 'Ace', K: 'King', Q: 'Queen', J: 'Jack', T: '10' },
    suits: { clubs: 'clubs', diamonds: 'diamonds', hearts: 'hearts', spades: 'spades' },
  },

  lists: {
    all: (number) => `All moves (${number})`,
    filter: 'Filter',
    more: (number) => `${number} more`,
    log: 'Played',
    chance: 'Chance',
  },

  analysis: {
    title: 'Analysis',
    run: 'Analyse',
    level: 'Strength',
    other: 'Other',
    settings: 'Settings',
    agent: 'Agent',
    thinking: 'Thinking …',
    best: 'Best:',
    why: 'Why',
    line: 'Expected:',
    tree: 'Search tree',
    root: 'now',
    beliefs: 'Where hidden cards may be',
    card: 'Card',
    open: (action) => `Open ${action}`,
    effort: ({ value, iterations, nodes, seconds }) =>
      [
        value === null || value === undefined ? null : `value ${signed(value)}`,
        iterations ? `${iterations.toLocaleString('en')} iterations` : null,
        nodes ? `${nodes.toLocaleString('en')} nodes` : null,
        seconds === null || seconds === undefined ? null : `${seconds.toFixed(2)} s`,
      ]
        .filter(Boolean)
        .join(' · '),
    columns: {
      action: 'Move',
      visits: 'Visits',
      value: 'Value',
      prior: 'Prior',
      availability: 'Available',
      proven: 'Proven',
    },
    meaning: {
      action: 'What can be played',
      visits: 'How often the search went there',
      value: 'Mean result for the player to move',
      prior: 'Share expected before the search',
      availability: 'How often it could have been chosen',
      proven: 'Result for each seat, if it is certain',
    },
  },

  review: {
    title: 'Review a game',
    lead: 'Open a record of a finished game.',
    file: 'A file',
    paste: 'Or its text',
    open: 'Open',
    of: (game) => `Review: ${game}`,
    step: 'Step',
    first: 'To the start',
    back: 'One step back',
    forward: 'One step forward',
    last: 'To the end',
    start: (length) => `The start of ${count(length, 'step')}`,
    after: (step, length, name, action) => `Step ${step} of ${length} – ${name}: ${action}`,
    viewer: 'As seen by',
    all: 'Everything open',
    spectator: 'A spectator',
    curve: 'Evaluation',
    curveHelp: 'up is good for',
    evaluate: 'Evaluate',
    stop: (done) => `Stop (${done})`,
    mistakeAt: (step) => `Mistake at step ${step + 1}`,
    mistake: (step, played, best, loss) => `${step}. ${played} instead of ${best}: −${loss.toFixed(2)}`,
    noMistakes: 'No clear mistakes so far.',
    toSetup: 'Set up this position',
  },

  setup: {
    title: 'Set up a position',
    lead: 'Write a position, or what one player knows, and ask an agent about it.',
    game: 'Game',
    kind: 'What it is',
    kinds: { position: 'The whole position', view: 'What one player knows' },
    text: 'Text',
    rules: 'Rules',
  },

  games: {
    title: 'Finished games',
    all: 'All games',
    more: 'More',
    none: 'There are none yet.',
    review: 'Review',
    fromFile: 'Open a file',
  },

  results: {
    title: 'Results',
    none: 'There are no results yet.',
    look: 'Look',
    back: 'All results',
    unknown: 'There is no such run.',
    kinds: { training: 'Training', experiment: 'Experiment', tournament: 'Tournament' },
    files: (number) => count(number, 'file'),
  },

  competitions: {
    title: 'Competitions',
    none: 'There are none yet.',
    standings: 'Standings',
    back: 'All competitions',
    tables: 'Tables',
    progress: (done, planned) => `${done} of ${count(planned, 'game')}`,
    columns: ['Player', 'Wins', 'Draws', 'Losses', 'Win rate', '95 % interval'],
    interval: (low, high) => `between ${low} and ${high}`,
    create: 'New competition',
    players: 'Players',
    kind: 'Kind',
    kinds: { agent: 'Agent', bot: 'Bot' },
    player: (number) => `Player ${number}`,
    add: 'Add a player',
    remove: (number) => `Remove player ${number}`,
    games: 'Games',
    seed: 'Seed',
    start: 'Start',
  },

  token: {
    title: 'Token',
    why: 'This server asks for a token. Whoever runs it can tell you.',
    label: 'Token',
    ok: 'OK',
  },

  errors: {
    unreachable: 'The server cannot be reached.',
    status: (status) => `The server answered with ${status}.`,
    unknownGame: (name) => `There is no game ${name}.`,
  },
};
