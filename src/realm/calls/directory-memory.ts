import { DIRECTORY_KEPT } from '../../core/budgets.ts'
import { EVENT_TYPES } from '../../events/index.ts'

/**
 * The part that registrations have in common (users, channels and their subscribers, groups), presented once and kept until it
 * changes: a thousand clients that come back together would otherwise hold up the realm for a minute. A change of any of it
 * emits an event, or clients would not learn of it either; so any event whose type does not declare `isTraffic` empties the
 * memory. Losing it costs time, nothing else: where all of it is too much (DIRECTORY_KEPT), what was not used for longest goes.
 */
export class DirectoryMemory {
  /** The one that was used last comes last. */
  readonly #values = new Map<string, { readonly value: unknown; readonly size: number }>()
  #size = 0

  /** Characters of JSON, reckoned. */
  get size(): number {
    return this.#size
  }

  remember<Value>(key: string, make: () => Value): Value {
    const known = this.#values.get(key)
    const kept = known ?? this.#sized(make())
    if (known) this.#values.delete(key)
    else this.#makeRoom(kept.size)
    if (kept.size > DIRECTORY_KEPT) return kept.value as Value
    this.#values.set(key, kept)
    if (!known) this.#size += kept.size
    return kept.value as Value
  }

  noteEvent(type: string): void {
    if (EVENT_TYPES.get(type)?.isTraffic !== true) this.forget()
  }

  /** Also after a rollback: what was made in that transaction has not come true. */
  forget(): void {
    this.#values.clear()
    this.#size = 0
  }

  #sized(value: unknown) {
    return { value, size: reckonedSize(value) }
  }

  #makeRoom(size: number): void {
    for (const [key, kept] of this.#values) {
      if (this.#size + size <= DIRECTORY_KEPT || size > DIRECTORY_KEPT) return
      this.#values.delete(key)
      this.#size -= kept.size
    }
  }
}

/** The items of a long list that are measured, and stand for the others. */
const MEASURED = 100

function reckonedSize(value: unknown): number {
  if (!Array.isArray(value) || value.length <= MEASURED) return JSON.stringify(value)?.length ?? 0
  const step = value.length / MEASURED
  const some = Array.from({ length: MEASURED }, (_, at) => value[Math.floor(at * step)])
  return Math.ceil((JSON.stringify(some).length * value.length) / MEASURED)
}
