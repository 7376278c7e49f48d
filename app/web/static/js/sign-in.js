/** The page that takes a credential and gets a session for it; or says why it cannot. */

import { get, post } from "./api.js";

const form = document.getElementById("sign-in-form");
const field = document.getElementById("credential");
const error = document.getElementById("sign-in-error");
const SESSIONS = ["token", "jwt"];
const NAMED_NOBODY = "proxy-named-nobody";
const WRONG = "That key or token is not valid, or no longer. Check that all of it was pasted.";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  error.hidden = true;
  try {
    await post("/v1/session", { credential: field.value.trim() });
    field.value = "";
    location.assign(destination());
  } catch (problem) {
    tell(problem.status === 401 ? WRONG : problem.message);
  } finally {
    button.disabled = false;
  }
});
field.focus();
get("/v1/me").then(leaveIfNamed, ({ kind, detail }) => kind === NAMED_NOBODY && tellProxy(detail));

/** Where nobody signs in here: this page was opened before the proxy knew who asks. */
function leaveIfNamed({ auth_mode: mode }) {
  if (!SESSIONS.includes(mode)) location.replace(destination());
}

function tellProxy(sentence) {
  document.getElementById("sign-in-title").textContent = "Keepsake does not know who you are";
  document.getElementById("sign-in-how").textContent = sentence;
  form.hidden = true;
  document.getElementById("sign-in-key").hidden = true;
  const again = document.getElementById("sign-in-again");
  again.firstElementChild.href = destination();
  again.hidden = false;
  again.firstElementChild.focus();
}

function tell(sentence) {
  error.textContent = sentence;
  error.hidden = false;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

/** The page that was asked for, if it is one of ours: never another site. */
function destination() {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  const url = new URL(next, location.origin);
  return url.origin === location.origin && next.startsWith("/") ? url.pathname + url.search : "/";
}
