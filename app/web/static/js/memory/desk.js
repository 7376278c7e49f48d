/** What the cards of a page have in common: banks, selection, and where the focus goes. */

import { Selection } from "./selection.js";

export class Desk {
  /**
   * @param {{reload: (focusId?: string) => Promise<void>, refresh: () => Promise<void>,
   *   changed: () => void}} page `reload` shows the page anew, without a flicker; `refresh` too,
   *   unless something is being typed, `changed` says that counts may be others
   */
  constructor({ reload, refresh, changed }) {
    this.reload = reload;
    this.refresh = refresh;
    this.changed = changed;
    this.banks = [];
    this.selection = new Selection(this);
  }

  /** Removes cards; the focus goes to the one after the last of them, or before, or the head. */
  takeAway(ids) {
    const cards = [...document.querySelectorAll(".entry")];
    const going = cards.filter((card) => ids.includes(card.dataset.id));
    const staying = this.neighbour(cards, going);
    for (const card of going) card.remove();
    this.selection.drop(ids);
    (staying ?? document.querySelector("#memory-title")).focus();
    this.refresh();
  }

  neighbour(cards, going) {
    const last = cards.indexOf(going.at(-1));
    const stays = (card) => !going.includes(card);
    const before = cards.slice(0, Math.max(last, 0));
    return cards.slice(last + 1).find(stays) ?? before.findLast(stays);
  }

  /** Shows the page with what is back in it, and puts the focus there. */
  broughtBack(id) {
    return this.reload(id);
  }
}
