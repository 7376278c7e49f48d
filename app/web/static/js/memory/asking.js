/** Questions to the server of which only the last one counts. */

import { answered } from "../api.js";

const SECONDS = 30;

/** Each `get` gives up the one before it, which then throws an AbortError. */
export class Asking {
  async get(path, params) {
    this.giveUp();
    const own = new AbortController();
    this.controller = own;
    const signal = AbortSignal.any([own.signal, AbortSignal.timeout(SECONDS * 1000)]);
    const response = await answered("GET", path, { params, signal });
    return response.json();
  }

  giveUp() {
    this.controller?.abort();
  }
}

/** Whether a question was given up for a newer one, so that there is nothing to tell. */
export function isGivenUp(error) {
  return error.name === "AbortError";
}

/** `act` once it has not been called for `milliseconds`. */
export function debounced(act, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), milliseconds);
  };
}
