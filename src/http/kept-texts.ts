import { TEXTS_KEPT } from '../core/budgets.ts'
import type { BodyVersion, MessageBody } from '../core/command.ts'

interface Entry {
  readonly epoch: string
  readonly body: MessageBody
  readonly size: number
  readonly keptAt: number
}

/**
 * Texts of messages, so that the people of a channel, who all read the same newest messages, do not each fetch them from D1. The
 * oldest go first, above a limit of bytes and after a time. A text is found by the exact version that the realm object has named in
 * the answer to this very caller, and by the epoch in which that version is one text: so nobody gets another text than D1's, or
 * one that they may not see.
 */
export class KeptTexts {
  #limits: Readonly<Record<keyof typeof TEXTS_KEPT, number>>
  readonly #now: () => number
  /** By epoch, which belongs to one organization, and message. */
  readonly #epochs = new Map<string, Map<number, Entry>>()
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
  find(epoch: string, wanted: readonly BodyVersion[]): Map<number, MessageBody> {
    this.#forgetOld()
    const found = new Map<number, MessageBody>()
    const entries = this.#epochs.get(epoch)
    if (!entries) return found
    for (const { id, version } of wanted) {
      const body = entries.get(id)?.body
      if (body?.version === version) found.set(id, body)
    }
    return found
  }

  keep(epoch: string, body: MessageBody): void {
    const size = sizeOf(body, this.#limits.besides)
    if (size > this.#limits.bytes) return
    const before = this.#epochs.get(epoch)?.get(body.id)
    if (before) this.#forget(before)
    for (const oldest of this.#order) {
      if (this.#size + size <= this.#limits.bytes) break
      this.#forget(oldest)
    }
    const entry = { epoch, body, size, keptAt: this.#now() }
    const entries = this.#epochs.get(epoch) ?? new Map<number, Entry>()
    this.#epochs.set(epoch, entries.set(body.id, entry))
    this.#order.add(entry)
    this.#size += size
  }

  /** Sets another limit of bytes. With 0, as when what a fetch from D1 costs is measured, no text is kept. */
  limitTo(bytes: number): void {
    this.#limits = { ...this.#limits, bytes }
    this.clear()
  }

  clear(): void {
    this.#epochs.clear()
    this.#order.clear()
    this.#size = 0
  }

  #forgetOld(): void {
    const since = this.#now() - this.#limits.milliseconds
    for (const oldest of this.#order) {
      if (oldest.keptAt > since) return
      this.#forget(oldest)
    }
  }

  #forget(entry: Entry): void {
    const entries = this.#epochs.get(entry.epoch)!
    entries.delete(entry.body.id)
    if (entries.size === 0) this.#epochs.delete(entry.epoch)
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
