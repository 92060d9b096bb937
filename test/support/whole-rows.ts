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
} as const
