// The server's API: requests with the server's token, errors with one sentence for people.

import { askToken } from './token.js';
import { texts } from './texts.js';

const BASE = '/api/v1';
const TOKEN = 'meeple-token';

export class ApiError extends Error {
  constructor(status, { code, message, wait }) {
    super(message ?? texts.errors.status(status));
    Object.assign(this, { status, code, wait });
  }
}

export function serverToken() {
  return localStorage.getItem(TOKEN);
}

/** Asks for the server's token; false if the person does not give one. */
export async function renewToken() {
  const token = await askToken();
  if (token) localStorage.setItem(TOKEN, token);
  return Boolean(token);
}

async function request(method, path, body, seatToken) {
  const headers = {};
  if (serverToken()) headers.Authorization = `Bearer ${serverToken()}`;
  if (seatToken) headers['X-Seat-Token'] = seatToken;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(BASE + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, { code: 'unreachable', message: texts.errors.unreachable });
  }
}

async function answer(method, path, body, seatToken) {
  let response = await request(method, path, body, seatToken);
  while (response.status === 401 && (await renewToken())) response = await request(method, path, body, seatToken);
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new ApiError(response.status, { wait: Number(response.headers.get('Retry-After')) || 1, ...problem });
}

export async function get(path) {
  return (await answer('GET', path)).json();
}

export async function getText(path) {
  return (await answer('GET', path)).text();
}

export async function post(path, body = {}, seatToken) {
  return (await answer('POST', path, body, seatToken)).json();
}

/** The same, waiting as long as the server says that it is busy. */
export async function postPatiently(path, body, signal) {
  for (;;) {
    try {
      return await post(path, body);
    } catch (error) {
      if (error.status !== 429 || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.wait * 1000));
    }
  }
}

let catalogue = null;

/** All games, asked once. */
export function games() {
  catalogue ??= get('/games')
    .then((found) => found.games)
    .catch((error) => {
      catalogue = null;
      throw error;
    });
  return catalogue;
}

export async function gameNamed(name) {
  return (await games()).find((game) => game.name === name);
}

/** The secret of one's own seat at a table. */
export const seatTokens = {
  of: (table) => localStorage.getItem(`meeple-seat-${table}`),
  keep: (table, token) => token && localStorage.setItem(`meeple-seat-${table}`, token),
};

export function streamAddress(table) {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${BASE}/tables/${table}/stream`;
}
