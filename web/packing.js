// Records inside an address, so that a position of a game that the server does not keep can be linked.

/** Longer addresses are cut off by some programs. */
const LONGEST = 6000;

/** What is needed to replay a game. */
function essence({ game, rules, seats, actions, reason }) {
  return { game, rules, seats, actions, reason };
}

async function through(stream, bytes) {
  const packed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** The record as letters, digits, `-` and `_`; null if it is too long for an address. */
export async function pack(record) {
  const text = new TextEncoder().encode(JSON.stringify(essence(record)));
  const bytes = await through(new CompressionStream('deflate-raw'), text);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  if (letters.length > LONGEST) return null;
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function unpack(letters) {
  const binary = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes)));
}
