import type { Sql } from '../core/sql.ts'
import { type LogEntry, readLogAfter } from './log.ts'

const KEPT_ENTRIES = 512
const EPHEMERAL_KEPT_SECONDS = 60

/**
 * The newest log entries in memory, so that a wake-up of a thousand polls parses each entry once, and
 * the ephemeral events, which exist only here. Losing the buffer loses ephemeral events by design and
 * costs a read of the log, nothing else.
 */
export class LogBuffer {
  /** Stored and ephemeral entries, ascending. All stored entries above `#completeAbove` are in it. */
  #entries: LogEntry[] = []
  #completeAbove: number

  constructor(newestStoredId: number) {
    this.#completeAbove = newestStoredId
  }

  add(entries: readonly LogEntry[]): void {
    this.#entries.push(...entries)
    if (this.#entries.length > KEPT_ENTRIES) {
      const dropped = this.#entries.splice(0, this.#entries.length - KEPT_ENTRIES)
      this.#completeAbove = dropped.at(-1)!.id
    }
  }

  /** Entries above `id`, ascending, from memory where it reaches back far enough, else from the log. */
  readAfter(sql: Sql, id: number, now: number, limit = 1_000): LogEntry[] {
    const buffered = this.#entries.filter(
      (entry) => entry.id > id && (entry.at > now - EPHEMERAL_KEPT_SECONDS || id >= this.#completeAbove),
    )
    if (id >= this.#completeAbove) return buffered.slice(0, limit)
    const stored = readLogAfter(sql, id, limit)
    const upTo = stored.length < limit ? Number.POSITIVE_INFINITY : stored.at(-1)!.id
    const storedIds = new Set(stored.map((entry) => entry.id))
    const ephemeral = buffered.filter((entry) => !storedIds.has(entry.id) && entry.id <= upTo)
    return ephemeral.length === 0 ? stored : [...stored, ...ephemeral].sort((a, b) => a.id - b.id)
  }
}
