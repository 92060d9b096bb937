/** An event as it comes. What it means is the state's business. */
export interface ApiEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [name: string]: unknown
}

/** The position of a reader of a queue. */
export interface Cursor {
  readonly queueId: string
  readonly lastEventId: number
}

/**
 * The next events after a cursor, at least one unless `mayBeEmpty` is set; rejects when the signal is given. Polls are one
 * way; a WebSocket, which keeps what has come until it is asked for, would be another.
 */
export type EventSource = (
  cursor: Cursor,
  options: { readonly signal: AbortSignal; readonly mayBeEmpty: boolean },
) => Promise<readonly ApiEvent[]>
