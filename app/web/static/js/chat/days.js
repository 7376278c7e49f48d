/** Conversations by the day they were last spoken in. Pure. */

const DAY = 86_400_000;

/**
 * @param {{updated_at: string}[]} conversations the newest first
 * @param {Date} now
 * @returns {[string, object[]][]} without the groups that are empty
 */
export function byDay(conversations, now) {
  const groups = new Map();
  for (const each of conversations) {
    const name = nameOf(new Date(each.updated_at), now);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups];
}

function nameOf(day, now) {
  const passed = Math.round((midnight(now) - midnight(day)) / DAY);
  if (passed <= 0) return "Today";
  if (passed === 1) return "Yesterday";
  return passed < 8 ? "Last seven days" : "Earlier";
}

function midnight(moment) {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
