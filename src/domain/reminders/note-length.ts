/** Code points of a user's own word on a reminder (behaviour 0.10). */
export const MAX_NOTE_LENGTH = 1_000
