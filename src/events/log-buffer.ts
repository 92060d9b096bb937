import { BYTES_AT_ONCE } from '../core/budgets.ts'
import type { Sql } from '../core/sql.ts'
import { type LoggedEvent, type ReadBudget, type ReadEvents, readEventsAfter } from './log.ts'

/**
 * Parts of the log, of EVENTS_AT_ONCE each, that are kept for so many seconds: clients that wait together lag behind large events
 * together too, and each would read and parse the same.
 */
export const LOG_READ_KEPT = { parts: 8, seconds: 2 } as const

/**
 * The newest events that the object keeps parsed, so that a thousand polls that wake together read them once. Measured in characters of
 * JSON; each takes 2 to 4 bytes in memory. One change, such as an account with bots that is closed, may have thousands of short ones.
 */
export const EVENTS_KEPT = { events: 4_096, characters: BYTES_AT_ONCE } as const

const EPHEMERAL_KEPT_SECONDS = 60
/** Part of the buffer that stays filled when it was full. */
const LEFT_AFTER_DROP = 7 / 8

/** An event in memory. Those that are not stored exist nowhere else. */
export interface BufferedEvent extends LoggedEvent {
  /** UNIX seconds. */
  readonly at: number
  readonly stored: boolean
}

/**
 * The newest events in memory, so that a round of a thousand polls parses each event once; and for a minute the ephemeral ones, so that a
 * client between two polls still gets them. Losing the buffer loses only ephemeral events, by design, and costs one read of the log.
 */
export class LogBuffer {
  /** Ascending events; all stored ones above `#completeAbove` are among them. */
  readonly #events: BufferedEvent[] = []
  #characters = 0
  #completeAbove: number
  /** Parts of the log that were just read, by the id that they are above and their budget: entries of the log do not change. */
  readonly #parts = new Map<string, { readonly read: ReadEvents; readonly at: number }>()

  constructor(newestId: number) {
    this.#completeAbove = newestId
  }

  /** Characters of JSON. */
  get size(): number {
    return this.#characters
  }

  add(events: readonly BufferedEvent[]): void {
    for (const event of events) this.#add(event)
    const newest = events.at(-1)
    if (newest) this.#forgetParts(newest.at)
    if (this.#fills(1)) this.#drop()
  }

  /** Drops the oldest. Some at once, since the others move up in the list each time. */
  #drop(): void {
    let dropped = 0
    for (; this.#fills(LEFT_AFTER_DROP, dropped); dropped += 1) {
      const { id, size } = this.#events[dropped]!
      this.#characters -= size
      this.#completeAbove = Math.max(this.#completeAbove, id)
    }
    this.#events.splice(0, dropped)
  }

  /** An event larger than the whole buffer, and all before it, will be read from the log. */
  #add(event: BufferedEvent): void {
    if (event.size > EVENTS_KEPT.characters) {
      this.#completeAbove = event.id
      return
    }
    this.#events.push(event)
    this.#characters += event.size
  }

  /** Whether the events, without this number of the oldest, exceed this part of what may be kept. */
  #fills(part: number, without = 0): boolean {
    const { events, characters } = EVENTS_KEPT
    return this.#events.length - without > part * events || this.#characters > part * characters
  }

  /**
   * Returns the first events above `id`, as many as the budget allows, from memory where it reaches back far
   * enough, else from the log. `now` in UNIX seconds.
   */
  readAfter(sql: Sql, id: number, now: number, budget: ReadBudget): ReadEvents {
    const isCurrent = ({ stored, at }: BufferedEvent) => stored || at > now - EPHEMERAL_KEPT_SECONDS
    const first = this.#events.findLastIndex((event) => event.id <= id) + 1
    if (id >= this.#completeAbove) return this.#readFrom(first, isCurrent, budget)
    const logged = this.#readLog(sql, id, now, budget)
    const ephemeral: LoggedEvent[] = []
    for (let index = first; index < this.#events.length; index += 1) {
      const event = this.#events[index]!
      if (event.id > logged.upTo) break
      if (!event.stored && isCurrent(event)) ephemeral.push(event)
    }
    if (ephemeral.length === 0) return logged
    return { ...logged, events: [...logged.events, ...ephemeral].sort((a, b) => a.id - b.id) }
  }

  /** Returns a part of the log, which may just have been read for another queue. */
  #readLog(sql: Sql, id: number, now: number, budget: ReadBudget): ReadEvents {
    this.#forgetParts(now)
    const key = `${id} ${budget.entries} ${budget.characters}`
    const known = this.#parts.get(key)
    if (known) return { ...known.read, charactersOfLog: 0 }
    const read = readEventsAfter(sql, id, budget)
    // Others may follow the last part at any time.
    if (read.upTo === Number.POSITIVE_INFINITY) return read
    if (this.#parts.size >= LOG_READ_KEPT.parts) this.#parts.delete(this.#parts.keys().next().value!)
    this.#parts.set(key, { read, at: now })
    return read
  }

  #forgetParts(now: number): void {
    for (const [key, { at }] of this.#parts) {
      if (Math.abs(now - at) >= LOG_READ_KEPT.seconds) this.#parts.delete(key)
    }
  }

  #readFrom(
    first: number,
    isCurrent: (event: BufferedEvent) => boolean,
    { entries, characters }: ReadBudget,
  ): ReadEvents {
    const events: LoggedEvent[] = []
    let read = 0
    for (let index = first; index < this.#events.length; index += 1) {
      const event = this.#events[index]!
      if (!isCurrent(event)) continue
      events.push(event)
      read += event.size
      if (events.length >= entries || read >= characters) {
        return { events, upTo: event.id, charactersOfLog: 0 }
      }
    }
    return { events, upTo: Number.POSITIVE_INFINITY, charactersOfLog: 0 }
  }
}
