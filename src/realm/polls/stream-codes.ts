/** The ping of a stream's client, and the platform's answer to it, without the object. */
export const PING = 'ping'
export const PONG = 'pong'

/** Codes with which an event stream closes, and what its client does then (docs/event-stream.md). */
export const CLOSE = {
  /** "Try again later", of the registered codes: connect again with the cursor, at once. */
  comeBack: 1013,
  /** The client broke the rules: it sent something other than acknowledgements, too much, or too often. */
  refused: 1008,
  /** The queue, the key or the session may have ended: connecting again, or a poll, shows which. */
  askAgain: 4000,
  /** The next events are too long for a socket: get them by a poll, then connect again. */
  poll: 4001,
  /** Another client waits on this queue now, by a stream or a poll. */
  replaced: 4002,
} as const
