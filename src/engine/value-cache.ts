import type { Sources, Stamps } from './stamps.ts'

interface Entry {
  readonly value: unknown
  readonly sources: Sources
  readonly size: number
  /** The time up to which it is known to be current. */
  checked: number
  /** Whether it was kept or used since it was last spared. */
  isUsed: boolean
}

export interface ReadValue {
  readonly value: unknown
  readonly sources: Sources
  /** As `Reader.largeState`. */
  readonly largeState?: boolean | undefined
}

/** Bytes of an entry besides its value, and of each source. */
const ENTRY = 200
const SOURCE = 120

/**
 * Values that were read, up to a number of bytes. The oldest goes first, but one that was used is spared once: an exact order of use
 * would double the cost of finding a value, which happens some thirty times a send. A value is returned while its sources are current.
 */
export class ValueCache {
  readonly #stamps: Stamps
  readonly #limit: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(stamps: Stamps, limit: number) {
    this.#stamps = stamps
    this.#limit = limit
  }

  /** Estimated. */
  get bytes(): number {
    return this.#bytes
  }

  find(key: string): ReadValue | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (this.#isCurrent(entry)) {
      entry.isUsed = true
      return entry
    }
    this.#remove(key, entry)
    return undefined
  }

  keep(key: string, { value, sources }: ReadValue): void {
    const known = this.#entries.get(key)
    if (known) this.#remove(key, known)
    const size = ENTRY + key.length + SOURCE * sources.count + sizeOf(value)
    if (size > this.#limit) return
    this.#add(key, { value, sources, size, checked: 0, isUsed: true })
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limit) return
      this.#remove(oldest, entry)
      if (!entry.isUsed) continue
      entry.isUsed = false
      this.#add(oldest, entry)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #isCurrent(entry: Entry): boolean {
    if (entry.checked === this.#stamps.clock) return true
    if (!entry.sources.areCurrent(this.#stamps, entry.checked)) return false
    entry.checked = this.#stamps.clock
    return true
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.size
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.size
  }
}

/** Items of a long list that are measured as a sample. */
const MEASURED = 50
const SLOT = 16

/** Estimates the bytes of a value in memory. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return SLOT + value.length
  if (typeof value !== 'object' || value === null) return SLOT
  if (ArrayBuffer.isView(value)) return SLOT + value.byteLength
  // Such an object knows its own size.
  if ('bytes' in value && !Object.hasOwn(value, 'bytes')) return SLOT + Number(value.bytes)
  if (value instanceof Map) return SLOT + sizeOfMany([...value].flat())
  if (value instanceof Set || Array.isArray(value)) return SLOT + sizeOfMany([...value])
  return SLOT + sizeOfMany(Object.values(value))
}

function sizeOfMany(values: readonly unknown[]): number {
  if (values.length === 0) return 0
  const step = Math.max(values.length / MEASURED, 1)
  let [bytes, count] = [0, 0]
  for (let at = 0; at < values.length; at += step) {
    bytes += SLOT + sizeOf(values[Math.floor(at)])
    count += 1
  }
  return Math.ceil((bytes * values.length) / count)
}
