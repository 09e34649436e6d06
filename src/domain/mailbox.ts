/** What the mailboxes that many actors share have in common: they are walked from actor to actor, a page at a time. */

/** An actor, among those of its kind. */
export interface Addressee {
  workspaceId: string
  id: string
}

/** Actors with due rows; whether anybody attends to them is not asked here. */
export interface DuePage {
  due: Addressee[]
  /** The last actor that was looked at, for the next page to begin after; null when none is left. */
  next: Addressee | null
}

/** No actor stands in front of it: the first page begins after it. */
export const inFrontOfAll: Addressee = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}
