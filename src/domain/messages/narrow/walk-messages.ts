import type { IndexedMessage } from '../message-rows.ts'
import type { Direction, MessageSource } from './message-sources.ts'

/** The first read of each source is small, since there may be hundreds; those that matter are read on. */
const FIRST_READ = 8
const LARGEST_READ = 512

/**
 * The messages of all sources in order of their ids beyond `from`, each once, read as they are asked
 * for: whoever stops early has not paid for the rest.
 */
export function* walkMessages(
  sources: readonly MessageSource[],
  from: number,
  direction: Direction,
): Generator<IndexedMessage, void, undefined> {
  const heap = new CursorHeap(direction)
  const first = sources.length === 1 ? LARGEST_READ / 4 : FIRST_READ
  for (const source of sources) heap.push(new Cursor(source, from, direction, first))
  let last: number | undefined
  for (let cursor = heap.pop(); cursor; cursor = heap.pop()) {
    const message = cursor.take()
    heap.push(cursor)
    if (message.id === last) continue
    last = message.id
    yield message
  }
}

/** How far one source has been read. */
class Cursor {
  readonly #source: MessageSource
  readonly #direction: Direction
  #from: number
  #size: number
  #read: IndexedMessage[] = []
  #at = 0
  #isAtEnd = false

  constructor(source: MessageSource, from: number, direction: Direction, size: number) {
    this.#source = source
    this.#from = from
    this.#direction = direction
    this.#size = size
  }

  /** Undefined at the end. */
  get next(): IndexedMessage | undefined {
    if (this.#at === this.#read.length && !this.#isAtEnd) {
      this.#read = this.#source.read(this.#from, this.#direction, this.#size)
      this.#at = 0
      this.#isAtEnd = this.#read.length < this.#size
      this.#from = this.#read.at(-1)?.id ?? this.#from
      this.#size = Math.min(this.#size * 4, LARGEST_READ)
    }
    return this.#read[this.#at]
  }

  take(): IndexedMessage {
    const message = this.next!
    this.#at += 1
    return message
  }
}

/** A binary heap of cursors: the one whose next message comes first is on top. */
class CursorHeap {
  readonly #direction: Direction
  readonly #cursors: { readonly key: number; readonly cursor: Cursor }[] = []

  constructor(direction: Direction) {
    this.#direction = direction
  }

  /** A cursor at its end is dropped. */
  push(cursor: Cursor): void {
    const next = cursor.next
    if (!next) return
    const entry = { key: next.id * this.#direction, cursor }
    const all = this.#cursors
    let at = all.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (all[parent]!.key <= entry.key) break
      all[at] = all[parent]!
      at = parent
    }
    all[at] = entry
  }

  pop(): Cursor | undefined {
    const all = this.#cursors
    const top = all[0]
    const last = all.pop()
    if (!top || !last || all.length === 0) return top?.cursor
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= all.length) break
      if (child + 1 < all.length && all[child + 1]!.key < all[child]!.key) child += 1
      if (last.key <= all[child]!.key) break
      all[at] = all[child]!
      at = child
    }
    all[at] = last
    return top.cursor
  }
}
