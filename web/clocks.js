// Clocks that run down between two messages of the server.

const TICK = 200;
/** Seconds below which tenths are shown. */
const CLOSE = 20;

export class Clocks {
  constructor(signal) {
    this.shown = null;
    const timer = setInterval(() => this.update(), TICK);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  /** The clocks of a state, in the elements of the seats; `received` is when it came. */
  show(elements, { clocks, turn, table, result, received }) {
    const running = table.status === 'playing' && !result ? turn : null;
    this.shown = { elements, clocks: clocks ?? [], running, since: received };
    this.update();
  }

  update() {
    if (!this.shown) return;
    const { elements, clocks, running, since } = this.shown;
    clocks.forEach((clock, seat) => {
      if (clock?.left === null || clock?.left === undefined || !elements[seat]) return;
      const passed = seat === running ? (performance.now() - since) / 1000 : 0;
      const left = Math.max(0, clock.left - passed);
      elements[seat].hidden = false;
      elements[seat].textContent = clockText(left);
      elements[seat].classList.toggle('running', seat === running);
      elements[seat].classList.toggle('short', left < CLOSE);
    });
  }
}

/** 75.2 seconds are 1:15, 9.34 are 9.3. */
export function clockText(seconds) {
  if (seconds < CLOSE) return (Math.floor(seconds * 10) / 10).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
