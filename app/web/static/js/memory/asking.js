/** Questions to the server of which only the last one counts. */

import { get } from "../api.js";

/** Each `get` gives up the one before it, which then throws an AbortError. */
export class Asking {
  get(path, params) {
    this.giveUp();
    this.controller = new AbortController();
    return get(path, params, this.controller.signal);
  }

  giveUp() {
    this.controller?.abort();
  }
}

/** Whether a question was given up for a newer one, so that there is nothing to tell. */
export function isGivenUp(error) {
  return error.name === "AbortError";
}
