import type { Steps } from '../../core/reader.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { Direction, MessageSource } from '../../store/messages/narrow/message-source-rows.ts'

/** Rows of the first read from each source if there are many sources. */
const FIRST_READ_OF_MANY = 2
const FIRST_READ_OF_FEW = 8
const MANY_SOURCES = 64
const MAX_READ = 512
/** Messages that are visited at a time: each may have to be looked up in several tables. */
const VISITED_AT_A_TIME = 100
/** Work of a statement besides its rows, in rows. */
const WORK_OF_A_READ = 4

/** Returns false when enough has been found. */
export type Visit = (message: IndexedMessage) => boolean

/** Whether a walk has read every message, or was stopped. */
export type WalkEnd = 'finished' | 'stopped'

export interface WalkRequest {
  readonly from: number
  readonly direction: Direction
  /** Number of wanted messages: a single source begins with reading this many. */
  readonly wanted: number
}

/** The messages of all sources beyond `from`, by id, each once, read as needed. A stopped walk can continue. */
export class MessageWalk {
  readonly #sources: readonly MessageSource[]
  readonly #direction: Direction
  readonly #from: number
  readonly #firstRead: number
  /** Number of sources opened so far. All must be open before it is known which message comes first. */
  #opened = 0
  readonly #heap: CursorHeap
  #reached: number
  #last: number | undefined

  constructor(sources: readonly MessageSource[], { from, direction, wanted }: WalkRequest) {
    this.#sources = sources
    this.#direction = direction
    this.#from = from
    this.#firstRead = firstRead(sources.length, wanted)
    this.#reached = from
    this.#heap = new CursorHeap(direction)
  }

  /** The id up to which all messages have been visited. */
  get reached(): number {
    return this.#reached
  }

  *run(visit: Visit): Steps<WalkEnd> {
    for (let visited = 1; ; ) {
      const source = this.#sources[this.#opened]
      const cursor = this.#heap.top
      if (source) yield this.#open(source)
      else if (!cursor) return 'finished'
      else if (cursor.next) {
        const message = cursor.take()
        this.#heap.settleTop()
        if (message.id === this.#last) continue
        this.#last = message.id
        this.#reached = message.id
        if (!visit(message)) return 'stopped'
        if (visited % VISITED_AT_A_TIME === 0) yield
        visited += 1
      } else yield this.#readOn(cursor)
    }
  }

  /** Reads a source for the first time. Of thousands of sources, most are empty and are dropped. */
  #open(source: MessageSource): number {
    this.#opened += 1
    const cursor = new Cursor(source, this.#from, this.#direction, this.#firstRead)
    const work = cursor.read()
    if (!cursor.isAtEnd) this.#heap.push(cursor)
    return work
  }

  #readOn(cursor: Cursor): number {
    const work = cursor.read()
    this.#heap.settleTop()
    // Everything nearer than the next message has been visited.
    if (this.#heap.top) this.#reached = this.#heap.top.position - this.#direction
    return work
  }
}

function firstRead(sources: number, wanted: number): number {
  if (sources === 1) return Math.min(Math.max(wanted, FIRST_READ_OF_FEW), MAX_READ)
  return sources > MANY_SOURCES ? FIRST_READ_OF_MANY : FIRST_READ_OF_FEW
}

/** The position to which a source has been read. */
class Cursor {
  readonly #source: MessageSource
  readonly #direction: Direction
  /** Read up to here; null: to the end. */
  #from: number | null
  #size: number
  #read: readonly IndexedMessage[] = []
  #at = 0

  constructor(source: MessageSource, from: number, direction: Direction, size: number) {
    this.#source = source
    this.#from = from
    this.#direction = direction
    this.#size = size
  }

  get isAtEnd(): boolean {
    return this.#at === this.#read.length && this.#from === null
  }

  /** Undefined until it is read. */
  get next(): IndexedMessage | undefined {
    return this.#read[this.#at]
  }

  /** Id of the next message; before it is known, the nearest id that it can have. */
  get position(): number {
    return this.next?.id ?? (this.#from ?? 0) + this.#direction
  }

  take(): IndexedMessage {
    this.#at += 1
    return this.#read[this.#at - 1]!
  }

  /** Reads on. Returns the work besides the counted rows, in rows. */
  read(): number {
    const { messages, reached, uncounted = 0 } = this.#source.read(this.#from!, this.#direction, this.#size)
    this.#read = messages
    this.#at = 0
    this.#from = reached
    this.#size = Math.min(this.#size * 4, MAX_READ)
    return uncounted + WORK_OF_A_READ
  }
}

/** A binary heap of cursors. The one whose next message comes first is on top; finished ones are dropped. */
class CursorHeap {
  readonly #direction: Direction
  readonly #cursors: Cursor[] = []

  constructor(direction: Direction) {
    this.#direction = direction
  }

  get top(): Cursor | undefined {
    return this.#cursors[0]
  }

  push(cursor: Cursor): void {
    const all = this.#cursors
    let at = all.push(cursor) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(cursor, all[parent]!)) break
      all[at] = all[parent]!
      at = parent
    }
    all[at] = cursor
  }

  /** Restores the order after the cursor on top has moved. */
  settleTop(): void {
    const all = this.#cursors
    let moved = all[0]!
    if (moved.isAtEnd) {
      const last = all.pop()!
      if (all.length === 0) return
      moved = last
    }
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= all.length) break
      if (child + 1 < all.length && this.#isBefore(all[child + 1]!, all[child]!)) child += 1
      if (!this.#isBefore(all[child]!, moved)) break
      all[at] = all[child]!
      at = child
    }
    all[at] = moved
  }

  #isBefore(one: Cursor, other: Cursor): boolean {
    return (one.position - other.position) * this.#direction < 0
  }
}
