/** What the settings of the space mean for this page. Pure. */

const OFF =
  "Memory is off in this space: nothing is learned, and no answer uses what is remembered here. " +
  "You can still look at it, change it and forget it.";
const READ_ONLY =
  "Memory is read-only in this space: answers use what is remembered here, and nothing new is " +
  "learned.";
const INCOGNITO =
  "New conversations begin incognito in this space: nothing of them is stored or learned.";

/** The sentences, "" where nothing is out of the ordinary or the settings are not known. */
export function noticeOf(settings) {
  if (!settings) return "";
  const told = [];
  if (settings.memory_mode === "off") told.push(OFF);
  if (settings.memory_mode === "read_only") told.push(READ_ONLY);
  if (settings.incognito_default) told.push(INCOGNITO);
  return told.join(" ");
}

/** Whether nothing is learned at all. */
export function isOff(settings) {
  return settings?.memory_mode === "off";
}
