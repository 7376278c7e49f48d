/** What is typed is acted on once, when the fingers rest. */

/** `act` once it has not been called for `milliseconds`. */
export function debounced(act, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), milliseconds);
  };
}
