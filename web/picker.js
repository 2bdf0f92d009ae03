// Choosing an action by clicking things of a scene, with a bar for what cannot be clicked there.

import { buttons, click, nextPicks, nextStep, verdict } from './choose.js';
import { button, h, replace } from './dom.js';
import { moveFocus } from './keyboard.js';
import { texts } from './texts.js';

export class Picker {
  /** `send` is called with the text of the chosen action. */
  constructor(view, send) {
    this.view = view;
    this.send = send;
    this.choices = [];
    this.chosen = [];
    this.hinted = [];
    this.element = h('div', { class: 'picker', 'aria-live': 'polite' });
    view.element.addEventListener('click', (event) => this.clicked(event.target));
    view.element.addEventListener('keydown', (event) => this.keyPressed(event));
  }

  /** The legal actions of what the view shows now; `idle` is said if there are none. */
  offer(choices, idle = '') {
    Object.assign(this, { choices, idle });
    this.chosen = [];
    this.hinted = [];
    this.update();
    this.restoreFocus();
  }

  /** Drawing anew takes the focus away: it goes back to the same thing, or to the first that is active. */
  restoreFocus() {
    const { focusedKey, things } = this.view;
    if (!focusedKey || document.activeElement !== document.body) return;
    const active = things.filter(({ element }) => element.classList.contains('active'));
    (active.find(({ key }) => key === focusedKey) ?? active[0])?.element.focus();
  }

  /** Points at the things of an action. */
  hint(action) {
    this.hinted = this.choices.find((choice) => choice.action === action)?.picks ?? [];
    this.update();
  }

  undo() {
    this.chosen = this.chosen.slice(0, -1);
    this.update();
  }

  clicked(target) {
    const key = target.closest('[data-key]')?.dataset.key;
    const thing = this.view.things.find((candidate) => candidate.key === key);
    if (thing) this.choose(thing);
  }

  keyPressed(event) {
    const isSite = event.target.closest?.('g[data-key]');
    if (isSite && (event.key === 'Enter' || event.key === ' ')) this.clicked(event.target);
    else if (
      !moveFocus(
        event,
        this.view.things.map(({ element }) => element).filter((element) => element.matches('.active')),
      )
    )
      return;
    event.preventDefault();
  }

  choose(thing) {
    this.chosen = click(this.choices, this.chosen, thing, this.view.things);
    const { send } = verdict(this.choices, this.picks());
    if (send === null) this.update();
    else this.act(send);
  }

  act(action) {
    this.offer([]);
    this.send(action);
  }

  prompt(stepName, offered) {
    const { choose } = texts.table;
    if (this.chosen.length > 0) return offered ? choose.orMore : (choose.then[stepName] ?? choose.then.any);
    return choose[this.choices.some(({ picks }) => picks.length > 0) ? stepName : 'any'] ?? choose.any;
  }

  picks() {
    return this.chosen.map(({ pick }) => pick);
  }

  update() {
    const next = nextPicks(this.choices, this.picks());
    const first = nextPicks(this.choices, []);
    const step = nextStep(this.choices, this.picks(), this.kinds());
    for (const thing of this.view.things) this.markThing(thing, next, first, step.picks);
    this.view.element.classList.toggle('choosing-cards', step.name === 'card');
    this.element.classList.toggle('mine', this.choices.length > 0);
    replace(this.element, this.bar(next, step.name));
  }

  /** The picks of each kind of thing, in the order in which people choose. */
  kinds() {
    const picksOf = (kind) => new Set(this.view.things.filter((thing) => thing.kind === kind).map(({ pick }) => pick));
    return { card: picksOf('card'), own: picksOf('own'), site: picksOf('site') };
  }

  /** Active things can be clicked; those that lead on from what is chosen can, and those of the next step stand out. */
  markThing({ element, key, pick }, next, first, step) {
    const chosen = this.chosen.some((thing) => thing.key === key);
    const active = chosen || first.has(pick) || next.has(pick);
    element.classList.toggle('active', active);
    element.classList.toggle('can', next.has(pick) && !chosen);
    element.classList.toggle('next', step.has(pick) && !chosen);
    element.classList.toggle('chosen', chosen);
    element.classList.toggle('hinted', this.hinted.includes(pick));
    if (element.tagName === 'BUTTON') element.disabled = !active;
    else if (active) element.setAttribute('tabindex', '0');
    else element.removeAttribute('tabindex');
    element.setAttribute('role', active ? 'button' : 'img');
    if (active) element.setAttribute('aria-pressed', String(chosen));
    else element.removeAttribute('aria-pressed');
  }

  bar(next, stepName) {
    if (this.choices.length === 0) return [this.idle ? h('span', { class: 'prompt' }, this.idle) : null];
    const { offers } = verdict(this.choices, this.picks());
    const visible = new Set(this.view.things.map(({ pick }) => pick));
    // Picks that nothing in the scene stands for.
    const loose = [...next].filter((pick) => !visible.has(pick));
    return [
      this.chosen.length
        ? h('span', { class: 'chosen-list' }, this.chosen.map(({ name, pick }) => name ?? pick).join(' + '))
        : null,
      h('span', { class: 'prompt' }, this.prompt(stepName, offers.length)),
      ...offers.map(({ action, label }) =>
        button(offers.length === 1 ? texts.table.play : (label ?? action), () => this.act(action), {
          class: 'primary',
        }),
      ),
      ...loose.map((pick) => button(pick, () => this.choose({ key: `loose/${pick}/${this.chosen.length}`, pick }))),
      ...(this.chosen.length
        ? []
        : buttons(this.choices).map(({ action, label }) =>
            button(label ?? action, () => this.act(action), { class: 'primary' }),
          )),
      this.chosen.length ? button(texts.table.undo, () => this.undo(), { class: 'quiet' }) : null,
    ];
  }
}
