import type { BodyVersion, MessageBody } from '../core/command.ts'
import { TEXTS_KEPT } from '../core/worker-budgets.ts'

interface Entry {
  readonly realmId: number
  readonly body: MessageBody
  readonly size: number
  readonly keptAt: number
}

/** The organization and the epoch in which a version of its messages is one text. */
export interface TextEpoch {
  readonly realmId: number
  readonly epoch: string
}

/** What is kept of one organization. */
interface Holder {
  readonly epoch: string
  /** By message, from the oldest to the newest. */
  readonly entries: Map<number, Entry>
  size: number
}

/** The part of the limit that is made free at once, so that the largest holder is seldom looked for. */
const FREED_AT_ONCE = 1 / 16

/**
 * Texts of messages, so that the people of a channel, who all read the same newest messages, do not each fetch them from D1. Above
 * a limit of bytes, the oldest of the organization that has most go first, so that no organization displaces the few of another; all go
 * after a time. A text is found by the exact version that the realm object has named in the answer to this very caller, and by the
 * epoch in which that version is one text: so nobody gets another text than D1's, or one that they may not see.
 */
export class KeptTexts {
  #limits: Readonly<Record<keyof typeof TEXTS_KEPT, number>>
  readonly #now: () => number
  /** By organization. */
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

  /** Returns those of the bodies that are kept in exactly these versions. */
  find({ realmId, epoch }: TextEpoch, wanted: readonly BodyVersion[]): Map<number, MessageBody> {
    this.#forgetOld()
    const found = new Map<number, MessageBody>()
    const holder = this.#holders.get(realmId)
    if (holder?.epoch !== epoch) return found
    for (const { id, version } of wanted) {
      const body = holder.entries.get(id)?.body
      if (body?.version === version) found.set(id, body)
    }
    return found
  }

  keep({ realmId, epoch }: TextEpoch, body: MessageBody): void {
    const size = sizeOf(body, this.#limits.besides)
    if (size > this.#limits.bytes) return
    const before = this.#holders.get(realmId)
    // Nobody finds the texts of another epoch any more.
    if (before && before.epoch !== epoch) this.#forgetOf(before)
    const same = before?.entries.get(body.id)
    if (same) this.#forget(same)
    if (this.#size + size > this.#limits.bytes) this.#makeRoom(size)
    const holder = this.#holders.get(realmId) ?? { epoch, entries: new Map<number, Entry>(), size: 0 }
    const entry = { realmId, body, size, keptAt: this.#now() }
    holder.entries.set(body.id, entry)
    holder.size += size
    this.#holders.set(realmId, holder)
    this.#order.add(entry)
    this.#size += size
  }

  /** Sets another limit of bytes. With 0, as when what a fetch from D1 costs is measured, no text is kept. */
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

  /** Forgets what an organization has, the oldest first, until no more than `goal` is kept of all. */
  #forgetOf({ entries }: Holder, goal = 0): void {
    for (const oldest of entries.values()) {
      if (this.#size <= goal) return
      this.#forget(oldest)
    }
  }

  #forgetOld(): void {
    const since = this.#now() - this.#limits.milliseconds
    for (const oldest of this.#order) {
      if (oldest.keptAt > since) return
      this.#forget(oldest)
    }
  }

  #forget(entry: Entry): void {
    const holder = this.#holders.get(entry.realmId)!
    holder.entries.delete(entry.body.id)
    holder.size -= entry.size
    if (holder.entries.size === 0) this.#holders.delete(entry.realmId)
    this.#order.delete(entry)
    this.#size -= entry.size
  }
}

function sizeOf({ content, renderedContent, editHistory }: MessageBody, besides: number): number {
  const history = editHistory.length === 0 ? 0 : JSON.stringify(editHistory).length
  return 2 * (content.length + renderedContent.length + history) + besides
}

/** The texts that this isolate keeps. */
export const keptTexts = new KeptTexts()
