// Something that is done again and again while a page is open and seen.

export function repeat(task, milliseconds, signal) {
  if (signal.aborted) return;
  const timer = setInterval(() => document.hidden || task(), milliseconds);
  signal.addEventListener('abort', () => clearInterval(timer));
}
