/** The conversation in the page's address. */

const PATH = /^\/c\/([^/]+)$/;

/** @returns {string|null} */
export function addressed() {
  const [, id] = PATH.exec(location.pathname) ?? [];
  return id ? decodeURIComponent(id) : null;
}

/** @param {string|null} id @param {{replace?: boolean}} [how] */
export function address(id, { replace = false } = {}) {
  const path = id ? `/c/${encodeURIComponent(id)}` : "/";
  if (location.pathname + location.hash === path) return;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
}
