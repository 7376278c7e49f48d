/** A turn's events as they come, over connections that may drop. */

import { answered, Problem } from "./api.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const TRIES = 12;
// A line comes at least so often, be it a comment; silence for longer is a lost connection.
const SILENCE = 60_000;

/**
 * Begins a turn and yields its events `{id, event, data}` until the last.
 * @param {object} body of POST /v1/chat
 * @param {{key: string, onLine?: (up: boolean) => void}} how `key` lets the request be sent again;
 *   `onLine` hears of a lost connection, and of its return
 * @throws {Problem} for what the server refuses, or where it cannot be reached any more
 */
export async function* beginTurn(body, { key, onLine }) {
  const first = await opened("POST", "/v1/chat", { body, headers: { "Idempotency-Key": key } });
  yield* following(first.response.headers.get("Keepsake-Turn"), 0, { onLine, first });
}

/**
 * The events of a turn that runs already, or has just ended, from number `after` on.
 * @param {string} turn @param {number} after
 * @param {{onLine?: (up: boolean) => void}} how
 */
export async function* joinTurn(turn, after, { onLine }) {
  yield* following(turn, after, { onLine });
}

async function* following(turn, after, { onLine, first }) {
  let connection = first;
  for (let failed = 0; ; ) {
    try {
      connection ??= await reopened(turn, after);
      if (failed) onLine?.(true);
      for await (const event of events(connection)) {
        failed = 0;
        if (event.id <= after) continue;
        after = event.id;
        yield event;
        if (event.event === "end") return;
      }
    } catch (error) {
      if (!isLost(error) || (failed += 1) >= TRIES) throw error;
      onLine?.(false);
      await pause(failed);
    }
    connection = null;
  }
}

function reopened(turn, after) {
  return opened("GET", `/v1/chat/${turn}/events`, { headers: { "Last-Event-ID": String(after) } });
}

/** A connection: the answer, and the watch over its silence. */
async function opened(method, path, { body, headers }) {
  const watch = new Watch();
  const request = { body, headers: { ...headers, Accept: "text/event-stream" } };
  try {
    const response = await answered(method, path, { ...request, signal: watch.signal, seconds: null });
    return { response, watch };
  } catch (error) {
    watch.end();
    throw error;
  }
}

/** The events of one connection. Throws where it ends before the turn does. */
async function* events({ response, watch }) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(lost);
      if (done) lost();
      watch.heard();
      const blocks = (rest + value.replaceAll("\r\n", "\n")).split("\n\n");
      rest = blocks.pop();
      yield* blocks.map(parsed).filter(Boolean);
    }
  } finally {
    watch.end();
    reader.cancel().catch(() => {});
  }
}

/** One event of the text format of server-sent events; null for a comment. */
function parsed(block) {
  const fields = { id: "0", event: "message", data: [] };
  for (const line of block.split("\n")) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") fields.data.push(value);
    else if (name) fields[name] = value;
  }
  if (!fields.data.length) return null;
  return { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data.join("\n")) };
}

/** Its signal goes off where nothing is heard for too long. */
class Watch {
  constructor() {
    this.silence = new AbortController();
    this.signal = this.silence.signal;
    this.heard();
  }

  heard() {
    this.end();
    const reason = new DOMException("silence", "TimeoutError");
    this.timer = setTimeout(() => this.silence.abort(reason), SILENCE);
  }

  end() {
    clearTimeout(this.timer);
  }
}

function lost() {
  throw new Problem({ kind: "offline", detail: "The connection to Keepsake was lost." });
}

function isLost(error) {
  return error instanceof Problem && (error.status === 0 || error.status === 502 || error.status === 503);
}

function pause(failed) {
  const time = Math.min(FIRST_PAUSE * 2 ** (failed - 1), LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, time));
}
