/** How memory can be set for a space, and what each way means. Pure. */

/** `told` is what it does, as a choice; `now` what it does in this space, as a notice. */
export const MODES = [
  {
    mode: "full",
    name: "On",
    told: "What is worth keeping is noted, and answers use it.",
    now: "",
  },
  {
    mode: "read_only",
    name: "Read-only",
    told: "Answers use what is remembered; nothing new is noted.",
    now: "Memory is read-only in this space: answers use what is remembered, and nothing new is noted.",
  },
  {
    mode: "off",
    name: "Off",
    told: "Nothing is recalled and nothing is noted. What is there stays.",
    now: "Memory is off in this space: nothing is recalled, and nothing is noted.",
  },
];
const INCOGNITO = "New conversations begin incognito in this space: nothing of them is stored or learned.";

/** @param {string} mode @returns {{mode: string, name: string, told: string, now: string}} */
export function modeNamed(mode) {
  return MODES.find((each) => each.mode === mode) ?? MODES[0];
}

/**
 * What the settings of a space mean; "" where nothing is out of the ordinary or they are not known.
 * @param {import("./shapes.js").MemorySettings|null} settings
 */
export function noticeOf(settings) {
  if (!settings) return "";
  const told = [modeNamed(settings.memory_mode).now, settings.incognito_default ? INCOGNITO : ""];
  return told.filter(Boolean).join(" ");
}

/** Whether nothing is learned at all. @param {import("./shapes.js").MemorySettings|null} settings */
export function isOff(settings) {
  return settings?.memory_mode === "off";
}
