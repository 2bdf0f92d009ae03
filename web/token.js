// Asks for the token of a server that needs one.

import { button, field, h } from './dom.js';
import { texts } from './texts.js';

let asking = null;

/** The token, or null if the person gives none; one prompt however many requests wait for it. */
export function askToken() {
  asking ??= prompt().finally(() => {
    asking = null;
  });
  return asking;
}

function prompt() {
  return new Promise((resolve) => {
    const input = h('input', { type: 'password', autocomplete: 'current-password', required: true });
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', {}, texts.token.title),
      h('p', {}, texts.token.why),
      field(texts.token.label, input),
      h(
        'div',
        { class: 'buttons' },
        h('button', { class: 'primary', value: 'ok' }, texts.token.ok),
        button(texts.cancel, () => dialog.close(), { class: 'quiet' }),
      ),
    );
    const dialog = h(
      'dialog',
      {
        onclose: () => {
          dialog.remove();
          resolve(dialog.returnValue === 'ok' ? input.value.trim() : null);
        },
      },
      form,
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
