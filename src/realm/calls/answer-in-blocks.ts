import {
  type AnswerInBlocks,
  type Block,
  type HeldBlocks,
  InBlocks,
  LIST,
  type PartOfBlock,
  type Piece,
  STEP,
} from '../../core/blocks.ts'
import { BLOCKS_AT_ONCE, BLOCKS_WORTH_STORING, FEW_BLOCKS, LARGEST_STORED_BLOCK } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type BlockContent,
  type BlockVersion,
  blockVersions,
  findBlockContent,
  putBlockContents,
  putBlockVersions,
} from '../../domain/register/block-rows.ts'
import type { Build } from '../runtime.ts'

/** Thrown to undo what was done for an answer that lacks too many blocks. What it says of blocks is true all the same. */
export class TooManyBlocksLack extends Error {
  readonly answer: AnswerInBlocks
  readonly #made: NewBlocks

  constructor(answer: AnswerInBlocks, made: NewBlocks) {
    super('Too many blocks lack')
    this.answer = answer
    this.#made = made
  }

  /** Keeps them, in a transaction of its own in the same turn. */
  keep(tx: RealmTransaction): void {
    keepBlocks(tx, this.#made)
  }
}

/** The blocks that an answer has found nowhere, to be stored for those that come after it. */
interface NewBlocks {
  readonly drawn: readonly BlockVersion[]
  readonly contents: readonly BlockContent[]
}

function keepBlocks({ sql }: RealmTransaction, { drawn, contents }: NewBlocks): void {
  putBlockVersions(sql, drawn)
  putBlockContents(sql, contents)
}

/** An answer with what is in blocks made in full. */
export function withoutBlocks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (!entries.some(([, field]) => field instanceof InBlocks)) return value
  return Object.fromEntries(
    entries.map(([name, field]) => [name, field instanceof InBlocks ? field.toJSON() : field]),
  )
}

/**
 * An answer as it crosses to a Worker that holds blocks, with those that it lacks, as of this transaction. `build`: what the
 * blocks' form depends on beside what is stored.
 * @throws TooManyBlocksLack
 */
export function answerInBlocks(
  tx: RealmTransaction,
  value: object,
  held: HeldBlocks,
  build: Build,
): AnswerInBlocks {
  const writer = new Writer(tx, held, build)
  writer.add('{')
  Object.entries(value).forEach(([name, field], index) => {
    if (field === undefined) return
    writer.add(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`)
    if (field instanceof InBlocks) for (const piece of field.pieces) writer.add(piece)
    else writer.add(JSON.stringify(field))
  })
  writer.add('}')
  const { answer, made } = writer.finish()
  if (answer.isIncomplete) throw new TooManyBlocksLack(answer, made)
  keepBlocks(tx, made)
  return answer
}

class Writer {
  readonly #tx: RealmTransaction
  readonly #held: HeldBlocks
  readonly #build: Build
  readonly #texts: string[] = []
  readonly #steps: number[] = []
  /** Characters since the last step that is no text. */
  #open = 0
  readonly #families = new Map<string, Family>()
  /** Position in `blocks`, by block. */
  readonly #blocks: number[] = []
  readonly #lacking: { readonly position: number; readonly block: Block; readonly version: number }[] = []
  readonly #versions = new Map<string, Map<number, number>>()
  readonly #drawn: BlockVersion[] = []
  readonly #contents: BlockContent[] = []

  constructor(tx: RealmTransaction, held: HeldBlocks, build: Build) {
    this.#tx = tx
    this.#held = held
    this.#build = build
  }

  add(piece: Piece): void {
    if (typeof piece === 'string') {
      this.#texts.push(piece)
      this.#open += piece.length
      return
    }
    this.#closeText()
    if (piece === LIST) this.#steps.push(STEP.list, 0, 0, 0)
    else this.#addPart(piece)
  }

  finish(): { readonly answer: AnswerInBlocks; readonly made: NewBlocks } {
    this.#closeText()
    const sent = this.#send()
    const isIncomplete = sent.positions.length < this.#lacking.length
    const answer = {
      isIncomplete,
      text: isIncomplete ? '' : this.#texts.join(''),
      steps: Uint32Array.from(isIncomplete ? [] : this.#steps),
      families: [...this.#families.keys()].map((family) => this.#named(family)),
      blocks: Float64Array.from(this.#blocks),
      sent,
    }
    return { answer, made: { drawn: this.#drawn, contents: this.#contents } }
  }

  #closeText(): void {
    if (this.#open > 0) this.#steps.push(STEP.text, this.#open, 0, 0)
    this.#open = 0
  }

  #addPart({ block, part, instead }: PartOfBlock): void {
    this.#steps.push(STEP.part, this.#positionOf(block), part, instead?.length ?? 0)
    if (instead !== undefined) this.#texts.push(instead)
  }

  #positionOf(block: Block): number {
    const family = this.#familyOf(block.family)
    const known = family.positions.get(block.number)
    if (known !== undefined) return known
    const position = this.#blocks.length / 3
    const version = this.#versionOf(block)
    this.#blocks.push(family.position, block.number, version)
    family.positions.set(block.number, position)
    if (family.held.get(block.number) !== version) this.#lacking.push({ position, block, version })
    return position
  }

  #familyOf(name: string): Family {
    const known = this.#families.get(name)
    if (known) return known
    const held = this.#held.families[this.#named(name)] ?? []
    const family: Family = { position: this.#families.size, positions: new Map(), held: new Map() }
    for (let at = 0; at < held.length; at += 2) family.held.set(held[at]!, held[at + 1]!)
    this.#families.set(name, family)
    return family
  }

  #named(family: string): string {
    return `${this.#build.name} ${family}`
  }

  #versionOf({ kind, number }: Block): number {
    let versions = this.#versions.get(kind)
    if (!versions) {
      versions = blockVersions(this.#tx.sql, kind)
      this.#versions.set(kind, versions)
    }
    const known = versions.get(number)
    if (known !== undefined) return known
    const version = Number.parseInt(this.#tx.randomHex(6), 16)
    versions.set(number, version)
    this.#drawn.push({ kind, number, version })
    return version
  }

  /** Sends as many of the lacking blocks as fit. */
  #send(): AnswerInBlocks['sent'] {
    const { sql } = this.#tx
    if (!this.#held.fill && this.#lacking.length > FEW_BLOCKS) {
      return { positions: [], lengths: [], bytes: new Uint8Array() }
    }
    const before = sql.counts.read
    const positions: number[] = []
    const lengths: (readonly number[])[] = []
    const blocks: Uint8Array[] = []
    let size = 0
    for (const { position, block, version } of this.#lacking) {
      if (size >= BLOCKS_AT_ONCE.bytes || sql.counts.read - before >= BLOCKS_AT_ONCE.rows) break
      const content = this.#contentOf(block, version)
      positions.push(position)
      lengths.push(content.lengths)
      blocks.push(content.bytes)
      size += content.bytes.length
    }
    return { positions, lengths, bytes: joined(blocks) }
  }

  /** The content as it was stored, or made now. */
  #contentOf(
    { kind, number, family, make }: Block,
    version: number,
  ): Pick<BlockContent, 'lengths' | 'bytes'> {
    const { sql } = this.#tx
    const { name: build, isKnown } = this.#build
    const stored = isKnown && findBlockContent(sql, { kind, number, family, version, build })
    if (stored) return stored
    const encoder = new TextEncoder()
    const parts = make().map((text) => encoder.encode(text))
    const content = { lengths: parts.map(({ length }) => length), bytes: joined(parts) }
    const isWorthStoring =
      this.#blocks.length / 3 >= BLOCKS_WORTH_STORING && content.bytes.length <= LARGEST_STORED_BLOCK
    if (isKnown && isWorthStoring) {
      this.#contents.push({ kind, number, family, version, build, ...content })
    }
    return content
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

interface Family {
  readonly position: number
  readonly positions: Map<number, number>
  /** Number → version. */
  readonly held: Map<number, number>
}
