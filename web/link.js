// The address of the page for others.

import { texts } from './texts.js';

/** Whether the address of a review says which game it is: by a table, a record, or the whole game. */
export function isLinkable(hash) {
  const [path, query] = hash.split('?');
  return path.startsWith('#/review/') || namesRecord(new URLSearchParams(query));
}

/** Whether the address says which game it is for as long as there is one. */
export const namesRecord = (query) => query.has('record') || query.has('packed');

/** Copies the address, or shows it where a page may not copy. */
export async function copyLink(button, status) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = texts.table.linkCopied;
  } catch {
    status.say(location.href);
  }
}
