// A small line that tells what went wrong or what happens; screen readers hear it.

import { h } from './dom.js';

export class StatusLine {
  constructor() {
    this.element = h('p', { class: 'status-line', role: 'status', 'aria-live': 'polite' });
  }

  say(text, bad = false) {
    this.element.textContent = text;
    this.element.classList.toggle('problem', bad);
  }

  /** Runs a task and shows its error, if it has one. */
  async watch(task) {
    try {
      const result = await task();
      this.say('');
      return result;
    } catch (error) {
      this.say(error.message, true);
      return null;
    }
  }
}
