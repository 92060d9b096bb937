import type { Audience } from '../../core/audience.ts'
import { CHANGES_FOLLOWED, CHANNELS_MENDED_AT_ONCE, DIRECTORY_KEPT } from '../../core/budgets.ts'
import { type LogEvent, type MadeInTurns, type Remembered, StaleError } from '../../core/realm-transaction.ts'
import { EVENT_TYPES } from '../../events/index.ts'

/** Ids of what alone has changed; undefined: something else may have. */
type Changed = readonly number[] | undefined

interface Change {
  readonly channels: Changed
  readonly users: Changed
}

/**
 * The part that registrations have in common (users, channels and their subscribers, groups), presented once
 * and kept until it changes: a thousand clients that come back together would otherwise occupy the realm for
 * a minute. Every change of it emits an event, or clients would miss it too; so any event whose type does not
 * declare `isTraffic` empties the memory. Losing it only costs time. If all of it is too much
 * (DIRECTORY_KEPT), the least recently used goes first.
 */
export class DirectoryMemory implements Remembered {
  /** Values, the last used one at the end. */
  readonly #values = new Map<string, { readonly value: unknown; readonly size: number }>()
  /** Keys of values that were made since the transaction began. */
  readonly #made = new Set<string>()
  #size = 0
  #epoch = 0
  /** What the last changes were about, one change an epoch. */
  readonly #changes: Change[] = []

  /** Grows whenever all is forgotten. */
  get epoch(): number {
    return this.#epoch
  }

  find(key: string): unknown {
    return this.#values.get(key)?.value
  }

  channelsChangedSince(epoch: number): ReadonlySet<number> | undefined {
    return this.#changedSince(epoch, ({ channels }) => channels)
  }

  usersChangedSince(epoch: number): ReadonlySet<number> | undefined {
    return this.#changedSince(epoch, ({ users }) => users)
  }

  #changedSince(epoch: number, of: (change: Change) => Changed): ReadonlySet<number> | undefined {
    const missed = this.#epoch - epoch
    if (missed > this.#changes.length) return undefined
    const changed = new Set<number>()
    for (const change of this.#changes.slice(this.#changes.length - missed)) {
      const ids = of(change)
      if (!ids) return undefined
      for (const id of ids) changed.add(id)
    }
    return changed
  }

  /** Estimated characters of JSON. */
  get size(): number {
    return this.#size
  }

  remember<Value>(key: string, make: () => Value, made?: MadeInTurns<Value>): Value {
    const known = this.#values.get(key)
    const wasMade = made !== undefined && made.epoch === this.#epoch
    const kept = known ?? this.#sized(made ? upToDate(this, made) : make())
    if (known) this.#values.delete(key)
    else this.#makeRoom(kept.size)
    if (kept.size > DIRECTORY_KEPT) return kept.value as Value
    this.#values.set(key, kept)
    if (!known) {
      this.#size += kept.size
      // What was made before the transaction does not depend on it.
      if (!wasMade) this.#made.add(key)
    }
    return kept.value as Value
  }

  noteEvent(event: LogEvent, audience: Audience | null): void {
    const type = EVENT_TYPES.get(event.type)
    if (type?.isTraffic === true) return
    const users = type?.usersChanged?.(event, receiversOf(audience))
    this.#forget({ channels: type?.channelsChanged?.(event), users })
  }

  begin(): void {
    this.#made.clear()
  }

  /**
   * Forgets what was made in the transaction that was rolled back, which may not be true. The rest is: each registration
   * with thousands of unread messages gives up once.
   */
  rollBack(): void {
    for (const key of this.#made) {
      this.#size -= this.#values.get(key)?.size ?? 0
      this.#values.delete(key)
    }
    this.#made.clear()
  }

  /** Forgets all values. `channelIds`: the channels that alone have changed. */
  forget(channelIds?: readonly number[]): void {
    this.#forget({ channels: channelIds, users: channelIds && [] })
  }

  #forget({ channels, users }: Change): void {
    this.#values.clear()
    this.#size = 0
    this.#epoch += 1
    this.#changes.push({ channels: few(channels), users: few(users) })
    if (this.#changes.length > CHANGES_FOLLOWED.changes) this.#changes.shift()
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

function few(changed: Changed): Changed {
  return changed && changed.length > CHANGES_FOLLOWED.ofOne ? undefined : changed
}

/** Returns the users of an audience; undefined where it has others. */
function receiversOf(audience: Audience | null): readonly number[] | undefined {
  const isUsersAlone = audience && !audience.roles && audience.channel === undefined && !audience.parts
  return isUsersAlone ? audience.users : undefined
}

/** Number of items of a long list that are measured, as a sample. */
const MEASURED = 100

function reckonedSize(value: unknown): number {
  if (!Array.isArray(value) || value.length <= MEASURED) return JSON.stringify(value)?.length ?? 0
  const step = value.length / MEASURED
  const some = Array.from({ length: MEASURED }, (_, at) => value[Math.floor(at * step)])
  return Math.ceil((JSON.stringify(some).length * value.length) / MEASURED)
}

/**
 * Returns the value as it is now: the few channels that have changed since are read again.
 * @throws StaleError where that is more than one turn does
 */
function upToDate<Value>(remembered: DirectoryMemory, { epoch, value, mend }: MadeInTurns<Value>): Value {
  const changed = remembered.channelsChangedSince(epoch)
  if (!changed || changed.size > CHANNELS_MENDED_AT_ONCE) throw new StaleError()
  return changed.size === 0 ? value : mend(value, changed)
}
