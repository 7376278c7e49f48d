/** Requests to `/v1`, and what goes wrong with them as a sentence. */

const SECONDS = 30;
const FILE = "application/octet-stream";
const UNREACHABLE = "Keepsake cannot be reached. Is it still running?";
const SLOW = "Keepsake did not answer in time. Try again in a moment.";

/** What went wrong: `status` is 0 where there was no answer at all; `kind` is the word of RFC 9457's
 * type after `urn:keepsake:` (or "offline", "timeout"); `detail` is a sentence for a person. */
export class Problem extends Error {
  constructor({ status = 0, kind = "unexpected", detail }) {
    super(detail);
    Object.assign(this, { status, kind, detail });
  }
}

/** @param {string} path @param {Object<string, any>} [params] @param {AbortSignal} [signal]
 * @returns {Promise<any>} */
export function get(path, params, signal) {
  return asked("GET", path, { params, signal });
}

/** @param {string} path @param {any} [body] @param {Object<string, string>} [headers] */
export function post(path, body, headers) {
  return asked("POST", path, { body: body ?? {}, headers });
}

/** @param {string} path @param {any} body @param {Object<string, string>} [headers]
 * @returns {Promise<any>} */
export function patch(path, body, headers) {
  return asked("PATCH", path, { body, headers });
}

/** @param {string} path @param {Object<string, any>} [params] */
export function del(path, params) {
  return asked("DELETE", path, { params });
}

/**
 * The answer with its ETag, for a later `If-Match`.
 * @param {string} path
 * @returns {Promise<{body: any, etag: string|null}>}
 */
export async function getTagged(path) {
  const response = await answered("GET", path);
  return { body: await parsed(response), etag: response.headers.get("ETag") };
}

/**
 * The raw answer to a request, once it is known to be good. `request` may hold `body` (a file, or
 * what is sent as JSON), `params`, `headers`, a `signal` that gives it up, and how many `seconds` the
 * whole answer may take: null is without a limit.
 * @returns {Promise<Response>}
 */
export async function answered(method, path, { params, body, headers = {}, signal, seconds = SECONDS } = {}) {
  const sent = { Accept: "application/json", ...headers };
  const isFile = body instanceof Blob;
  if (body !== undefined) sent["Content-Type"] = isFile ? FILE : "application/json";
  const request = {
    method,
    headers: sent,
    body: body === undefined || isFile ? body : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: endedBy(signal, seconds),
  };
  const response = await fetch(path + query(params), request).catch(noAnswer);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** A key under which the same POST may be sent again without being done twice. */
export function idempotencyKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function asked(method, path, request) {
  return parsed(await answered(method, path, request));
}

async function parsed(response) {
  if (response.status === 204) return null;
  const text = await response.text().catch(noAnswer);
  return text ? JSON.parse(text) : null;
}

function endedBy(signal, seconds) {
  const limit = seconds === null ? null : AbortSignal.timeout(seconds * 1000);
  return AbortSignal.any([signal, limit].filter(Boolean));
}

function query(params) {
  const given = Object.entries(params ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const pairs = given.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

function noAnswer(error) {
  if (error.name === "AbortError") throw error;
  if (error.name === "TimeoutError") throw new Problem({ kind: "timeout", detail: SLOW });
  throw new Problem({ kind: "offline", detail: UNREACHABLE });
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  if (response.status === 401) signIn();
  return new Problem({
    status: response.status,
    kind: String(told.type ?? "").replace("urn:keepsake:", "") || "unexpected",
    detail: told.detail || `Keepsake answered with an error (${response.status}).`,
  });
}

function signIn() {
  if (location.pathname === "/sign-in") return;
  const next = location.pathname + location.search;
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}
