/**
 * Rows written by a request and everything that follows it, in the object and in D1 together: test/realm/row-counts.test.ts
 * counts them at 10 and at 1,000 subscribers.
 */
export const WHOLE_ROWS = {
  // The index row and its two indexes, the log; the body, the search entry and the cursor in D1.
  'a channel message': 7,
  // One more index entry, for finding the message of a repeated send.
  'a channel message that may be repeated': 8,
  'a direct message': 7,
  'a poll that has nothing': 0,
  'a queue registered without a snapshot': 1,
  'one message marked as read': 2,
  'a star': 3,
  'a reaction': 3,
  // Who arrives is stored at once (test/features/presence/presence-rows.test.ts).
  'somebody arrives': 1,
  'an hour of presence, of up to 256 people': 36,
} as const

/** Rows that an object reads for a request while people work, so that it has in memory what rarely changes. */
export const READ_ROWS = {
  // On average (test/features/presence/presence-rows.test.ts).
  'a report of presence': 1,
  // test/features/events/stream-rows.test.ts
  'an event heard by a stream': 1,
} as const
