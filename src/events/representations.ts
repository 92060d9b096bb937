import * as v from 'valibot'
import { BYTES_AT_ONCE } from '../core/budgets.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { representationsKey } from '../core/representations-by-level.ts'
import type { GroupSettingValue } from '../rules/group-setting-values.ts'
import type { RepresentationOptions, WireEvent } from './event-type.ts'
import type { LoggedEvent } from './log.ts'

/** An event as JSON, as GET /events answers it. */
export interface EventRepresentation {
  readonly id: number
  readonly text: string
}

/** The inputs of a representation. */
interface RepresentationOf {
  readonly options: RepresentationOptions
  /** The result of `EventType.personal`. */
  readonly personal: unknown
}

/** Number of different sets of options that are remembered; above it the numbers begin anew. */
const OPTION_SETS_KNOWN = 1_000

/**
 * Delivered representations of events that several queues share: each is made and serialised once, however many get it.
 * They last as long as the event is in memory.
 */
export class EventRepresentations {
  #byEvent = new WeakMap<LogEvent, Map<string, readonly EventRepresentation[]>>()
  #characters = 0
  /** A number for each set of equal options, by the object and by its JSON. */
  readonly #numberOf = new WeakMap<RepresentationOptions, number>()
  readonly #numberOfJson = new Map<string, number>()
  #lastNumber = 0
  /** The last representations of a receiver's own part, since many successive receivers have the same object. */
  #last:
    | (RepresentationOf & {
        readonly event: LogEvent
        readonly representations: readonly EventRepresentation[]
      })
    | undefined

  /** Returns the representations of an event, in their order. `of` is absent where everybody gets the event as it is logged. */
  of(
    entry: LoggedEvent,
    of: RepresentationOf | undefined,
    make: () => WireEvent[],
  ): readonly EventRepresentation[] {
    const last = this.#last
    if (of && last?.event === entry.event && last.personal === of.personal) {
      if (this.#optionsNumber(last.options) === this.#optionsNumber(of.options)) return last.representations
    }
    const key = of
      ? `${this.#optionsNumber(of.options)} ${of.personal === null ? '' : JSON.stringify(of.personal)}`
      : ''
    const known = this.#byEvent.get(entry.event)
    const made = known?.get(key)
    const representations = made ?? representationsOf(entry.id, make())
    if (!made) this.#keep(entry.event, key, representations)
    this.#last = of && { ...of, event: entry.event, representations }
    return representations
  }

  #keep(event: LogEvent, key: string, representations: readonly EventRepresentation[]): void {
    const characters = representations.reduce((sum, { text }) => sum + text.length, key.length)
    if (this.#characters + characters > BYTES_AT_ONCE) {
      this.#byEvent = new WeakMap()
      this.#characters = 0
    }
    const kept = this.#byEvent.get(event) ?? new Map()
    kept.set(key, representations)
    this.#byEvent.set(event, kept)
    // Characters of events that have left memory stay in the count until all representations are dropped.
    this.#characters += characters
  }

  #optionsNumber(options: RepresentationOptions): number {
    const known = this.#numberOf.get(options)
    if (known !== undefined) return known
    const {
      applyMarkdown,
      clientGravatar,
      slimPresence,
      includeSubscribers,
      capabilities,
      userAgent,
      isBrowser,
    } = options
    const json = JSON.stringify([
      applyMarkdown,
      clientGravatar,
      slimPresence,
      includeSubscribers,
      capabilities.toSorted(),
      userAgent,
      representationsKey(options),
      isBrowser,
    ])
    if (this.#numberOfJson.size >= OPTION_SETS_KNOWN) this.#numberOfJson.clear()
    const number = this.#numberOfJson.get(json) ?? ++this.#lastNumber
    this.#numberOfJson.set(json, number)
    this.#numberOf.set(options, number)
    return number
  }
}

/** Returns the representations of one logged event. If it becomes several, they take the ids that were reserved for it, and the last has its own. */
function representationsOf(id: number, events: readonly WireEvent[]): readonly EventRepresentation[] {
  return events.map((event, index) => representationOf({ ...event, id: id - events.length + 1 + index }))
}

export function representationOf(event: WireEvent & { readonly id: number }): EventRepresentation {
  return { id: event.id, text: JSON.stringify(event) }
}

/** The value of a permission: a group, or people and groups by id. Source: docs/interface/access.md#permission-values. */
export const groupSettingSchema: v.GenericSchema<GroupSettingValue> = v.union([
  v.number(),
  v.strictObject({ direct_members: v.array(v.number()), direct_subgroups: v.array(v.number()) }),
])
