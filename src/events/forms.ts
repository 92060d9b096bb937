import { FORMS_KEPT } from '../core/budgets.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import type { FormOptions, WireEvent } from './event-type.ts'
import type { LoggedEvent } from './log.ts'

/** An event as it stands in the answer of GET /events: its JSON. */
export interface DeliveredForm {
  readonly id: number
  readonly text: string
}

/** What a form depends on. */
interface FormOf {
  readonly options: FormOptions
  /** As `EventType.personal` has it. */
  readonly personal: unknown
}

/** So many different wishes are told apart without writing them out. */
const WISHES_KNOWN = 1_000

/**
 * Forms of events that were made for one queue and are the same for others: each is made and serialised once, however many
 * get it. They last as long as the event is in memory.
 */
export class Forms {
  #byEvent = new WeakMap<LogEvent, Map<string, readonly DeliveredForm[]>>()
  #characters = 0
  /** A number for all options that wish the same, by the options and by the wishes as JSON. */
  readonly #wishesOf = new WeakMap<FormOptions, number>()
  readonly #wishes = new Map<string, number>()
  #lastWish = 0

  /** The forms of an event, in their order. `of` is left out where everybody gets the event as it is logged. */
  of(entry: LoggedEvent, of: FormOf | undefined, make: () => WireEvent[]): readonly DeliveredForm[] {
    const key = of
      ? `${this.#wishOf(of.options)} ${of.personal === null ? '' : JSON.stringify(of.personal)}`
      : ''
    const known = this.#byEvent.get(entry.event)
    const made = known?.get(key)
    if (made) return made
    const forms = formsOf(entry.id, make())
    this.#keep(entry.event, key, forms)
    return forms
  }

  #keep(event: LogEvent, key: string, forms: readonly DeliveredForm[]): void {
    const characters = forms.reduce((sum, { text }) => sum + text.length, key.length)
    if (this.#characters + characters > FORMS_KEPT) {
      this.#byEvent = new WeakMap()
      this.#characters = 0
    }
    const kept = this.#byEvent.get(event) ?? new Map()
    kept.set(key, forms)
    this.#byEvent.set(event, kept)
    // Those of events that are gone are counted on until all are forgotten.
    this.#characters += characters
  }

  #wishOf(options: FormOptions): number {
    const known = this.#wishesOf.get(options)
    if (known !== undefined) return known
    const { applyMarkdown, clientGravatar, slimPresence, includeSubscribers, capabilities, userAgent } =
      options
    const wishes = JSON.stringify([
      applyMarkdown,
      clientGravatar,
      slimPresence,
      includeSubscribers,
      capabilities.toSorted(),
      userAgent,
    ])
    if (this.#wishes.size >= WISHES_KNOWN) this.#wishes.clear()
    const number = this.#wishes.get(wishes) ?? ++this.#lastWish
    this.#wishes.set(wishes, number)
    this.#wishesOf.set(options, number)
    return number
  }
}

/** Where one logged event becomes several, they take the ids that were set aside for it: the last has its own. */
function formsOf(id: number, events: readonly WireEvent[]): readonly DeliveredForm[] {
  return events.map((event, index) => formOf({ ...event, id: id - events.length + 1 + index }))
}

export function formOf(event: WireEvent & { readonly id: number }): DeliveredForm {
  return { id: event.id, text: JSON.stringify(event) }
}
