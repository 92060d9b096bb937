/** An event as it comes. Only the state interprets it. */
export interface ApiEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [name: string]: unknown
}

/** Position of a reader of a queue. */
export interface Cursor {
  readonly queueId: string
  readonly lastEventId: number
}

/**
 * Returns the next events after a cursor, at least one unless `mayBeEmpty` is set; rejects when the signal is
 * aborted. Polls are one way; a WebSocket, which keeps what has come until it is asked for, is another.
 */
export type EventSource = (
  cursor: Cursor,
  options: { readonly signal: AbortSignal; readonly mayBeEmpty: boolean },
) => Promise<readonly ApiEvent[]>
