/** An event as received. Only the state interprets it. */
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
 * aborted. The source may be polls, or a WebSocket, which buffers events until they are taken.
 */
export type EventSource = (
  cursor: Cursor,
  options: { readonly signal: AbortSignal; readonly mayBeEmpty: boolean },
) => Promise<readonly ApiEvent[]>
