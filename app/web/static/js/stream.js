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
 * @param {{key: string, signal: AbortSignal, onLine?: (up: boolean) => void}} how `key` lets the
 *   request be sent again; `onLine` hears of a lost connection, and of its return
 * @throws {Problem} for what the server refuses, or where it cannot be reached any more
 */
export async function* beginTurn(body, { key, signal, onLine }) {
  const headers = { "Idempotency-Key": key, Accept: "text/event-stream" };
  const watched = watch(signal);
  const response = await answered("POST", "/v1/chat", { body, headers, signal: watched.signal });
  const turn = response.headers.get("Keepsake-Turn");
  yield* following(turn, 0, { signal, onLine, first: [response, watched] });
}

/**
 * The events of a turn that runs already, or has just ended, from number `after` on.
 * @param {string} turn @param {number} after
 * @param {{signal: AbortSignal, onLine?: (up: boolean) => void}} how
 */
export async function* joinTurn(turn, after, { signal, onLine }) {
  yield* following(turn, after, { signal, onLine });
}

async function* following(turn, after, { signal, onLine, first }) {
  let [response, watched] = first ?? [];
  for (let failed = 0; ; ) {
    try {
      if (!response) [response, watched] = await reopened(turn, after, signal);
      if (failed) onLine?.(true);
      for await (const event of events(response, watched)) {
        failed = 0;
        if (event.id <= after) continue;
        after = event.id;
        yield event;
        if (event.event === "end") return;
      }
    } catch (error) {
      if (signal.aborted || !isLost(error) || (failed += 1) >= TRIES) throw error;
      onLine?.(false);
      await pause(failed, signal);
    }
    response = null;
  }
}

async function reopened(turn, after, signal) {
  const watched = watch(signal);
  const headers = { "Last-Event-ID": String(after), Accept: "text/event-stream" };
  const path = `/v1/chat/${turn}/events`;
  return [await answered("GET", path, { headers, signal: watched.signal }), watched];
}

/** The events of one connection. Throws where it ends before the turn does. */
async function* events(response, watched) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(lost);
      if (done) lost();
      watched.heard();
      const blocks = (rest + value.replaceAll("\r\n", "\n")).split("\n\n");
      rest = blocks.pop();
      yield* blocks.map(parsed).filter(Boolean);
    }
  } finally {
    watched.end();
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

/** A signal that also goes off where nothing is heard for too long. */
function watch(signal) {
  const silence = new AbortController();
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new DOMException("silence", "TimeoutError")), SILENCE);
  };
  heard();
  return { signal: AbortSignal.any([signal, silence.signal]), heard, end: () => clearTimeout(timer) };
}

function lost(cause) {
  if (cause?.name === "AbortError") throw cause;
  throw new Problem({ kind: "offline", detail: "The connection to Keepsake was lost." });
}

function isLost(error) {
  return error instanceof Problem && (error.status === 0 || error.status === 502 || error.status === 503);
}

function pause(failed, signal) {
  const time = Math.min(FIRST_PAUSE * 2 ** (failed - 1), LONGEST_PAUSE);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
