import type { Sql } from '../core/sql.ts'
import { type LoggedEvent, readEventsAfter } from './log.ts'

const KEPT_EVENTS = 512
const EPHEMERAL_KEPT_SECONDS = 60

/** An event in memory. Those that are not stored exist nowhere else. */
export interface BufferedEvent extends LoggedEvent {
  /** UNIX seconds. */
  readonly at: number
  readonly stored: boolean
}

/**
 * The newest events in memory, so that a wake-up of a thousand polls parses each event once; and for a
 * minute the ephemeral ones, so that a client between two polls still gets them. Losing the buffer
 * loses ephemeral events by design and costs a read of the log, nothing else.
 */
export class LogBuffer {
  /** Ascending. All stored events above `#completeAbove` are in it. */
  readonly #events: BufferedEvent[] = []
  #completeAbove: number

  constructor(newestId: number) {
    this.#completeAbove = newestId
  }

  add(events: readonly BufferedEvent[]): void {
    this.#events.push(...events)
    const dropped = this.#events.splice(0, this.#events.length - KEPT_EVENTS)
    this.#completeAbove = dropped.at(-1)?.id ?? this.#completeAbove
  }

  /**
   * The first events above `id`, ascending, from memory where it reaches back far enough, else from the
   * log. Fewer than `limit` means that there are no more. `now` in UNIX seconds.
   */
  readAfter(sql: Sql, id: number, now: number, limit: number): LoggedEvent[] {
    const newer = this.#events.slice(this.#events.findLastIndex((event) => event.id <= id) + 1)
    const isCurrent = ({ stored, at }: BufferedEvent) => stored || at > now - EPHEMERAL_KEPT_SECONDS
    if (id >= this.#completeAbove) return newer.filter(isCurrent).slice(0, limit)
    const logged = readEventsAfter(sql, id, limit)
    const upTo = logged.length < limit ? Number.POSITIVE_INFINITY : logged.at(-1)!.id
    const ephemeral = newer.filter((event) => !event.stored && isCurrent(event) && event.id <= upTo)
    return ephemeral.length === 0 ? logged : [...logged, ...ephemeral].sort((a, b) => a.id - b.id)
  }
}
