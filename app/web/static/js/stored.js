/** What this browser keeps for itself: choices and drafts. Without storage nothing is kept. */

const PREFIX = "keepsake-";

/** @param {string} name @returns {string|null} */
export function stored(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string|null} value null or "" removes it */
export function store(name, value) {
  try {
    if (value) localStorage.setItem(PREFIX + name, value);
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // Full or forbidden: the page works without.
  }
}

/** Removes everything whose name begins so. @param {string} beginning */
export function forgetStored(beginning) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX + beginning));
    for (const name of names) localStorage.removeItem(name);
  } catch {
    // As above.
  }
}
