/** Code points of a user's own note on a reminder (docs/interface/conventions.md#limits). */
export const MAX_NOTE_LENGTH = 1_000
