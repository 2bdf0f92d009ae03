// The stream of a table: a WebSocket that comes back by itself.

import { renewToken, serverToken, streamAddress } from './api.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class TableStream {
  /** `on`: state(message), error(message), connection(true or false). */
  constructor(table, token, on, signal) {
    Object.assign(this, { table, token, on, signal, wait: FIRST_WAIT });
    signal.addEventListener('abort', () => this.socket?.close());
    this.connect();
  }

  connect() {
    if (this.signal.aborted) return;
    this.socket = new WebSocket(streamAddress(this.table));
    this.socket.onopen = () =>
      this.send({ type: 'hello', token: this.token ?? undefined, server_token: serverToken() ?? undefined });
    this.socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    this.socket.onclose = () => this.lost();
  }

  async receive(message) {
    if (message.type === 'state') {
      this.wait = FIRST_WAIT;
      this.on.connection(true);
      this.on.state(message);
    } else if (message.code === 'token_required') {
      this.ended = !(await renewToken());
      this.socket.close();
    } else if (message.code === 'no_seat' && this.token) {
      // A seat of another time: look on.
      this.token = null;
      this.on.error(message);
    } else if (message.type === 'error') {
      this.on.error(message);
    }
  }

  lost() {
    if (this.signal.aborted || this.ended) return;
    this.on.connection(false);
    setTimeout(() => this.connect(), this.sitting ? 0 : this.wait);
    this.sitting = false;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Sits down: the same stream with a seat's token. */
  use(token) {
    this.token = token;
    this.sitting = true;
    this.socket.close();
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
