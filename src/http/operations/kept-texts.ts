import { ISOLATE } from '../../core/budgets.ts'
import { quotedText, unquotedText } from '../../core/json.ts'
import type { BodyVersion, MessageText, TextForm } from '../../core/message-bodies.ts'

/**
 * Limits of the texts that an isolate keeps: bytes, of which each takes `besides` more than its characters, and milliseconds, since deleted
 * texts must go.
 */
const TEXTS_KEPT = { bytes: ISOLATE.texts, milliseconds: 3_600_000, besides: 400 } as const

interface Entry {
  readonly realmId: number
  readonly key: number
  readonly text: MessageText
  readonly size: number
  readonly keptAt: number
}

/** The organization, and the epoch within which a version of a message is one text. */
export interface TextEpoch {
  readonly realmId: number
  readonly epoch: string
}

interface Holder {
  readonly epoch: string
  /** By message and form (`keyOf`), from the oldest to the newest. */
  readonly entries: Map<number, Entry>
  size: number
}

/** The fraction of the limit freed at once, so that the largest holder is rarely searched for. */
const FREED_AT_ONCE = 1 / 16

/**
 * Caches message texts, so that the readers of a channel, who all want the same newest messages, do not each fetch them from D1. Above a
 * limit of bytes, the oldest texts of the organization with the most go first, so that one organization does not displace the few texts
 * of another; all of them expire. A text is found by the exact version that the realm object named in its answer to this caller, and by
 * the epoch within which that version is one text: so a caller never gets a text other than D1's, or one that they may not see.
 */
export class KeptTexts {
  #limits: Readonly<Record<keyof typeof TEXTS_KEPT, number>>
  readonly #now: () => number
  readonly #holders = new Map<number, Holder>()
  /** All entries, from the oldest to the newest. */
  readonly #order = new Set<Entry>()
  #size = 0

  constructor(limits: Readonly<Record<keyof typeof TEXTS_KEPT, number>> = TEXTS_KEPT, now = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /** Estimated bytes of all texts. */
  get size(): number {
    return this.#size
  }

  /** Returns the texts that are kept in exactly these versions. */
  find(
    { realmId, epoch }: TextEpoch,
    wanted: readonly BodyVersion[],
    form: TextForm,
  ): Map<number, MessageText> {
    this.#forgetOld()
    const found = new Map<number, MessageText>()
    const holder = this.#holders.get(realmId)
    if (holder?.epoch !== epoch) return found
    for (const { id, version } of wanted) {
      const text = holder.entries.get(keyOf(id, form))?.text
      if (text?.version === version) found.set(id, text)
    }
    return found
  }

  keep({ realmId, epoch }: TextEpoch, text: MessageText, form: TextForm): void {
    const key = keyOf(text.id, form)
    const size = sizeOf(text, this.#limits.besides)
    if (size > this.#limits.bytes) return
    const before = this.#holders.get(realmId)
    // Texts of another epoch can no longer be found.
    if (before && before.epoch !== epoch) this.#forgetOf(before)
    const same = before?.entries.get(key)
    if (same) this.#forget(same)
    if (this.#size + size > this.#limits.bytes) this.#makeRoom(size)
    const holder = this.#holders.get(realmId) ?? { epoch, entries: new Map<number, Entry>(), size: 0 }
    const entry = { realmId, key, text: detached(text), size, keptAt: this.#now() }
    holder.entries.set(key, entry)
    holder.size += size
    this.#holders.set(realmId, holder)
    this.#order.add(entry)
    this.#size += size
  }

  /** Changes the limit of bytes. With 0, no text is kept; measurements of D1 use that. */
  limitTo(bytes: number): void {
    this.#limits = { ...this.#limits, bytes }
    this.clear()
  }

  clear(): void {
    this.#holders.clear()
    this.#order.clear()
    this.#size = 0
  }

  #makeRoom(bytes: number): void {
    const goal = this.#limits.bytes - Math.max(bytes, this.#limits.bytes * FREED_AT_ONCE)
    while (this.#size > goal) {
      let largest: Holder | undefined
      for (const holder of this.#holders.values()) {
        if (!largest || holder.size > largest.size) largest = holder
      }
      if (!largest) return
      this.#forgetOf(largest, goal)
    }
  }

  /** Forgets texts of an organization, oldest first, until the total is no more than `goal`. */
  #forgetOf({ entries }: Holder, goal = 0): void {
    for (const oldest of entries.values()) {
      if (this.#size <= goal) return
      this.#forget(oldest)
    }
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const oldest of this.#order) {
      // A time in the future: the clock has been set back.
      if (Math.abs(now - oldest.keptAt) < this.#limits.milliseconds) return
      this.#forget(oldest)
    }
  }

  #forget(entry: Entry): void {
    const holder = this.#holders.get(entry.realmId)!
    holder.entries.delete(entry.key)
    holder.size -= entry.size
    if (holder.entries.size === 0) this.#holders.delete(entry.realmId)
    this.#order.delete(entry)
    this.#size -= entry.size
  }
}

function keyOf(id: number, form: TextForm): number {
  return 2 * id + (form === 'content' ? 1 : 0)
}

/**
 * Returns an independent copy: V8 keeps a whole string as long as part of it is kept, and this one arrived with those of other messages.
 */
function detached({ text, ...others }: MessageText): MessageText {
  return { ...others, text: quotedText(unquotedText(text)) }
}

function sizeOf({ text, editHistory }: MessageText, besides: number): number {
  const history = editHistory.length === 0 ? 0 : JSON.stringify(editHistory).length
  return 2 * (text.length + history) + besides
}

export const keptTexts = new KeptTexts()
