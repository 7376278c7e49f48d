/* A classic script in the head, so that the page is never drawn in the wrong colours first. */
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("keepsake-theme");
  } catch {
    /* storage is forbidden: the system's theme it is */
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
