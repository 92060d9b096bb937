import { parseJson } from './json.ts'
/**
 * Answers that are put together from blocks: parts that many answers have in common, which the Worker keeps
 * as bytes. In the transaction that makes an answer, the object names the blocks that the answer consists of,
 * and sends those that the Worker does not hold in that version. The object decides each time which blocks a
 * caller gets.
 */

/**
 * A part of many answers. Everything in it depends on stored rows; a change of them drops the block's row in
 * `snapshot_block`.
 */
export interface Block {
  /** The kind and number under which its version is stored. */
  readonly kind: BlockKind
  readonly number: number
  /** The subject of the block and its class of viewers: two blocks with the same family and number are the same. */
  readonly family: string
  /** Its parts as JSON texts. An item of a list, or a field of an object, begins with a comma. */
  make(): readonly string[]
}

export type BlockKind = 'users' | 'statuses' | 'channel' | 'subscribers' | 'group'

/**
 * JSON between the blocks; a part of a block, or of many; or the beginning of a list, whose first item loses its comma.
 */
export type Segment = string | PartOfBlock | PartsOfRows | typeof LIST

export const LIST = Symbol('list')

export interface PartOfBlock {
  readonly block: Block
  readonly part: number
  /**
   * An item that replaces the one with the same first field, as JSON with its comma: what one viewer sees
   * differently from all others of the class.
   */
  readonly instead?: string
}

/** The blocks of a family that has one for each of many subjects: see `Block`. */
export interface BlocksOfSubjects {
  readonly kind: BlockKind
  readonly family: string
  /** Makes the block with this number. */
  make(number: number): readonly string[]
}

/**
 * The blocks of subjects of which there may be thousands, without an object for each: of every subject one or two blocks, side by side. No
 * other part of the answer has them, but parts of the same rows.
 */
export interface BlockRows {
  /** One or two families. */
  readonly families: readonly BlocksOfSubjects[]
  /** The subjects: the numbers of their blocks, each once. */
  readonly numbers: readonly number[]
}

/** A part of each block of some of these subjects. */
export interface PartsOfRows {
  readonly of: BlockRows
  /** Places in `numbers`, ascending; absent: all of them. */
  readonly rows?: readonly number[] | undefined
  /** Which part, of each family's block. */
  readonly parts: readonly number[]
  /** Returns JSON between the two parts of each of the rows. Not called where the Worker lacks too many blocks. */
  readonly between?: (() => readonly string[]) | undefined
}

/** A value of an answer, as a sequence of parts. */
export class InBlocks {
  readonly segments: readonly Segment[]

  constructor(segments: readonly Segment[]) {
    this.segments = segments
  }

  /** The value itself, for callers that keep no blocks. */
  toJSON(): unknown {
    const texts: string[] = []
    let isFirst = false
    const add = (text: string) => {
      if (text === '') return
      texts.push(isFirst ? text.slice(1) : text)
      isFirst = false
    }
    for (const segment of this.segments) {
      if (segment === LIST) isFirst = true
      else if (typeof segment === 'string') {
        texts.push(segment)
        isFirst = false
      } else if ('block' in segment) add(withItem(segment.block.make()[segment.part]!, segment.instead))
      else for (const text of textsOfRows(segment)) add(text)
    }
    return parseJson(texts.join(''))
  }
}

function* textsOfRows({ of: { families, numbers }, rows, parts, between }: PartsOfRows): Iterable<string> {
  const texts = between?.()
  for (const [place, row] of (rows ?? [...numbers.keys()]).entries()) {
    const [first, second] = families.map(({ make }, at) => make(numbers[row]!)[parts[at]!]!)
    yield first!
    if (texts) yield texts[place]!
    if (second !== undefined) yield second
  }
}

/**
 * A field of an answer in blocks that is made last, when it is known that the Worker has all blocks, since it costs much and
 * an answer that lacks blocks cannot be completed yet.
 */
export class MadeLast {
  readonly make: () => unknown

  constructor(make: () => unknown) {
    this.make = make
  }
}

/**
 * A list in an answer whose items are presented, and written, after the transaction, in several turns where they are many: from what the
 * transaction has read, which nobody changes. Presented at once for callers that keep no blocks.
 */
export class ListLater<Row = unknown> {
  readonly rows: readonly Row[]
  readonly present: (row: Row) => unknown
  /** Characters of JSON that take as long to write as presenting one item takes, where that is much. */
  readonly characters: number

  constructor(rows: readonly Row[], present: (row: Row) => unknown, characters = 0) {
    this.rows = rows
    this.present = present
    this.characters = characters
  }

  toJSON(): unknown[] {
    return this.rows.map((row) => this.present(row))
  }
}

/** A field of an answer that is made in the same way in a turn of its own: a list, or an object with lists or thousands of fields. */
export class MadeLater {
  /** Number of items from which it is made. */
  readonly items: number
  /** Lists in it may be `ListLater`. */
  readonly make: () => object

  constructor(items: number, make: () => object) {
    this.items = items
    this.make = make
  }

  toJSON(): object {
    const made = this.make()
    if (Array.isArray(made)) return made
    return Object.fromEntries(
      Object.entries(made).map(([name, field]) => [
        name,
        field instanceof ListLater ? field.toJSON() : field,
      ]),
    )
  }
}

/**
 * Fields of an answer that are the same in many, as JSON, which is made once. They stand in the answer under a name of
 * their own, which the client does not see.
 */
export class SharedFields {
  /** The fields as JSON, without the brackets. */
  readonly text: string

  /** @param texts as `textOfFields` returns them */
  constructor(texts: readonly string[]) {
    // Not joined: that would copy megabytes, which the answer does once more.
    this.text = texts.reduce((all, text) => (all === '' || text === '' ? all + text : `${all},${text}`), '')
  }

  /** The fields themselves, for callers that keep no blocks. */
  get fields(): object {
    return parseJson(`{${this.text}}`) as object
  }
}

/** Returns fields as JSON, without the brackets. */
export function textOfFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}

/** A list, or with `{}` an object, that joins one part of each of these blocks. */
export function listInBlocks(parts: readonly PartOfBlock[], brackets: '[]' | '{}' = '[]'): InBlocks {
  return new InBlocks([brackets[0]!, LIST, ...parts, brackets[1]!])
}

/**
 * Returns the positions at which the item with the first field of `instead` begins and ends; `find` works
 * like `indexOf`.
 */
export function positionOfItem(
  instead: string,
  end: number,
  find: (text: string, from: number) => number,
): { readonly from: number; readonly to: number } {
  // No JSON string contains these characters: a quotation mark inside a string has a backslash before it.
  const from = find(instead.slice(0, instead.indexOf(',', 1) + 1), 0)
  if (from < 0) throw new Error('A block lacks an item that it should have')
  const next = find(instead.slice(0, instead.indexOf(':') + 1), from + 1)
  return { from, to: next < 0 ? end : next }
}

function withItem(text: string, instead: string | undefined): string {
  if (instead === undefined) return text
  const { from, to } = positionOfItem(instead, text.length, (part, start) => text.indexOf(part, start))
  return text.slice(0, from) + instead + text.slice(to)
}

/** The blocks of an organization that the Worker holds. */
export interface HeldBlocks {
  /** The blocks that are held, by family: number and version of each, one after the other. */
  readonly families: Readonly<Record<string, Float64Array>>
  /**
   * Whether to send all blocks that fit. Otherwise only a few are sent, and a caller that lacks many asks
   * again when its turn comes.
   */
  readonly fill: boolean
}

/** An answer as it crosses to the Worker. */
export interface AnswerInBlocks {
  /**
   * The answer is not made yet, and nothing has been done: too many blocks are missing. Some of them are
   * `sent`.
   */
  readonly isIncomplete: boolean
  /** All texts, one after the other; '' if they are long. */
  readonly text: string
  /** Long texts. */
  readonly longText?: LongText
  /** The steps: each is its kind (`STEP`), followed by the numbers that this kind needs. */
  readonly steps: Uint32Array
  readonly families: readonly string[]
  /** The blocks, each with the index of its family in `families`, its number and its version. */
  readonly blocks: Float64Array
  readonly sent: SentBlocks
}

/** Texts of an answer as UTF-8. They cross as a stream, since one call carries 32 MiB; the lengths in the steps are bytes. */
export interface LongText {
  readonly bytes: number
  readonly stream: ReadableStream<Uint8Array>
}

interface SentBlocks {
  /** Positions in `blocks`. */
  readonly positions: readonly number[]
  /** The bytes of each of their parts. */
  readonly lengths: readonly (readonly number[])[]
  /** All parts, one after the other: JSON in UTF-8. */
  readonly bytes: Uint8Array
}

/** Kinds of steps; each step is four numbers. */
export const STEP = {
  /** Followed by the number of characters of the text, or of bytes (`LongText`). */
  text: 0,
  /**
   * Followed by the position of the block, the index of its part, and the characters, or bytes, of the item that
   * replaces one in it, or 0.
   */
  part: 1,
  list: 2,
  /**
   * Parts of blocks whose positions follow each other. Followed by the first position, the number of blocks, and which part the first,
   * third and so on have and which the others (`alternating`).
   */
  run: 3,
} as const
export const STEP_LENGTH = 4

/** The parts of a run as one number. */
export function alternating(even: number, odd: number): number {
  return even * ALTERNATING + odd
}

/** Returns the parts of a run that `alternating` has put into one number. */
export function partsOfRun(parts: number): readonly [even: number, odd: number] {
  return [Math.floor(parts / ALTERNATING), parts % ALTERNATING]
}

/** No block has as many parts. */
const ALTERNATING = 1_000
