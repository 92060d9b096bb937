import * as v from 'valibot'
import { BYTES_AT_ONCE } from '../core/budgets.ts'
import { formsKey } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { FormOptions, WireEvent } from './event-type.ts'
import type { LoggedEvent } from './log.ts'

/** An event as JSON, as GET /events answers it. */
export interface DeliveredForm {
  readonly id: number
  readonly text: string
}

/** The inputs of a form. */
interface FormOf {
  readonly options: FormOptions
  /** The result of `EventType.personal`. */
  readonly personal: unknown
}

/** Number of different sets of options that are remembered; above it the numbers begin anew. */
const OPTION_SETS_KNOWN = 1_000

/**
 * Delivered forms of events that several queues share: each is made and serialised once, however many get it.
 * They last as long as the event is in memory.
 */
export class Forms {
  #byEvent = new WeakMap<LogEvent, Map<string, readonly DeliveredForm[]>>()
  #characters = 0
  /** A number for each set of equal options, by the object and by its JSON. */
  readonly #numberOf = new WeakMap<FormOptions, number>()
  readonly #numberOfJson = new Map<string, number>()
  #lastNumber = 0
  /** The last forms of a receiver's own part, since many successive receivers have the same object. */
  #last: (FormOf & { readonly event: LogEvent; readonly forms: readonly DeliveredForm[] }) | undefined

  /** Returns the forms of an event, in their order. `of` is absent where everybody gets the event as it is logged. */
  of(entry: LoggedEvent, of: FormOf | undefined, make: () => WireEvent[]): readonly DeliveredForm[] {
    const last = this.#last
    if (of && last?.event === entry.event && last.personal === of.personal) {
      if (this.#optionsNumber(last.options) === this.#optionsNumber(of.options)) return last.forms
    }
    const key = of
      ? `${this.#optionsNumber(of.options)} ${of.personal === null ? '' : JSON.stringify(of.personal)}`
      : ''
    const known = this.#byEvent.get(entry.event)
    const made = known?.get(key)
    const forms = made ?? formsOf(entry.id, make())
    if (!made) this.#keep(entry.event, key, forms)
    this.#last = of && { ...of, event: entry.event, forms }
    return forms
  }

  #keep(event: LogEvent, key: string, forms: readonly DeliveredForm[]): void {
    const characters = forms.reduce((sum, { text }) => sum + text.length, key.length)
    if (this.#characters + characters > BYTES_AT_ONCE) {
      this.#byEvent = new WeakMap()
      this.#characters = 0
    }
    const kept = this.#byEvent.get(event) ?? new Map()
    kept.set(key, forms)
    this.#byEvent.set(event, kept)
    // Characters of events that have left memory stay in the count until all forms are dropped.
    this.#characters += characters
  }

  #optionsNumber(options: FormOptions): number {
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
      formsKey(options),
      isBrowser,
    ])
    if (this.#numberOfJson.size >= OPTION_SETS_KNOWN) this.#numberOfJson.clear()
    const number = this.#numberOfJson.get(json) ?? ++this.#lastNumber
    this.#numberOfJson.set(json, number)
    this.#numberOf.set(options, number)
    return number
  }
}

/** Returns the forms of one logged event. If it becomes several, they take the ids that were reserved for it, and the last has its own. */
function formsOf(id: number, events: readonly WireEvent[]): readonly DeliveredForm[] {
  return events.map((event, index) => formOf({ ...event, id: id - events.length + 1 + index }))
}

export function formOf(event: WireEvent & { readonly id: number }): DeliveredForm {
  return { id: event.id, text: JSON.stringify(event) }
}

/** The value of a permission: a group, or people and groups by id. Source: docs/interface/access.md#permission-values. */
export const groupSettingSchema = v.union([
  v.number(),
  v.strictObject({ direct_members: v.array(v.number()), direct_subgroups: v.array(v.number()) }),
])
