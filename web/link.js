// The address of the page for others.

import { texts } from './texts.js';

/** Copies the address, or shows it where a page may not copy. */
export async function copyLink(button, status) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = texts.table.linkCopied;
  } catch {
    status.say(location.href);
  }
}
