import type { AnswerInBlocks } from '../../core/blocks.ts'
import { BLOCK_BYTES_OF_ONE_ANSWER, BLOCKS_OF_ONE_TURN, MAX_STORED_BLOCK } from '../../core/budgets.ts'
import { joinedBytes } from '../../core/joined-bytes.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import {
  type BlockContent,
  type BlockVersion,
  blockVersion,
  findBlockContent,
  putBlockContents,
  putBlockVersions,
} from '../../domain/register/block-rows.ts'
import type { Build } from '../runtime.ts'
import type { LackingBlock, LackingBlocks } from './lacking-blocks.ts'

/** Rows that are written for a new block after it was made: its version and its content, each with an index. */
const ROWS_TO_KEEP = 4

/**
 * The blocks that a Worker lacks for an answer, as far as they have been read or made: in several turns where
 * one is too short.
 */
export class BlocksToSend {
  readonly #lacking: LackingBlocks
  readonly #build: Build
  readonly #areWorthStoring: boolean
  /** Number of blocks that have been handled. */
  #done = 0
  #size = 0
  /** Bytes of the blocks that were not stored. */
  #bytesMade = 0
  readonly #positions: number[] = []
  readonly #lengths: (readonly number[])[] = []
  readonly #bytes: Uint8Array[] = []
  /** New versions that are to be stored: a block may be there in several families. */
  readonly #versioned = new Map<number, BlockVersion>()
  /** All versions that were stored: none is given twice, since the block may have changed in between. */
  readonly #given = new Set<number>()
  /** New blocks, to be stored for later answers. */
  #made: BlockContent[] = []

  constructor(lacking: LackingBlocks, build: Build, areWorthStoring: boolean) {
    this.#lacking = lacking
    this.#build = build
    this.#areWorthStoring = areWorthStoring
  }

  get count(): number {
    return this.#lacking.count
  }

  get areAllSent(): boolean {
    return this.#positions.length === this.#lacking.count
  }

  /** Whether the answer can take no more, or there are no more. */
  get isOver(): boolean {
    return this.#done === this.#lacking.count || this.#size >= BLOCK_BYTES_OF_ONE_ANSWER
  }

  /** Adds what one turn takes, in the turn in which the answer named the blocks. */
  add(sql: Sql): void {
    this.#add(sql, () => true)
  }

  /**
   * Adds more in a later turn: a block that has changed since, or that another answer has given a version, is left out, and the
   * Worker asks again. A stored content is deleted with its version, so only blocks to be made are checked.
   */
  addLater(sql: Sql): void {
    this.#add(sql, ({ block: { kind, number }, version, isNew }) => {
      const stored = blockVersion(sql, kind, number)
      return stored === version || (stored === undefined && isNew && !this.#given.has(version))
    })
  }

  /** Stores the versions that the blocks added since the last call have got, and the blocks that were made. */
  keep(sql: WritableSql): void {
    putBlockVersions(sql, [...this.#versioned.values()])
    putBlockContents(sql, this.#made)
    for (const version of this.#versioned.keys()) this.#given.add(version)
    this.#versioned.clear()
    this.#made = []
  }

  sent(): AnswerInBlocks['sent'] {
    return { positions: this.#positions, lengths: this.#lengths, bytes: joinedBytes(this.#bytes) }
  }

  #add(sql: Sql, isCurrent: (lacking: LackingBlock) => boolean): void {
    const rowsSoFar = () => sql.counts.read + ROWS_TO_KEEP * this.#versioned.size
    const [rows, size, made] = [rowsSoFar(), this.#size, this.#bytesMade]
    const isSpent = () =>
      rowsSoFar() - rows >= BLOCKS_OF_ONE_TURN.rows ||
      this.#size - size >= BLOCKS_OF_ONE_TURN.bytes ||
      this.#bytesMade - made >= BLOCKS_OF_ONE_TURN.newBytes
    while (!this.isOver && !isSpent()) {
      const next = this.#lacking.at(this.#done)
      this.#done += 1
      const content = this.#stored(sql, next) ?? (isCurrent(next) ? this.#make(next) : undefined)
      if (!content) continue
      if (next.isNew && !this.#given.has(next.version)) this.#versioned.set(next.version, versionOf(next))
      const { lengths, bytes } = content
      this.#positions.push(next.position)
      this.#lengths.push(lengths)
      this.#bytes.push(bytes)
      this.#size += bytes.length
    }
  }

  #stored(sql: Sql, { block: { kind, number, family }, version }: LackingBlock): Content | undefined {
    const { name: build, isKnown } = this.#build
    return isKnown ? findBlockContent(sql, { kind, number, family, version, build }) : undefined
  }

  #make({ block, version }: LackingBlock): Content {
    const { kind, number, family } = block
    const { name: build, isKnown } = this.#build
    const encoder = new TextEncoder()
    const parts = block.make().map((text) => encoder.encode(text))
    const content = { lengths: parts.map(({ length }) => length), bytes: joinedBytes(parts) }
    this.#bytesMade += content.bytes.length
    if (isKnown && this.#areWorthStoring && content.bytes.length <= MAX_STORED_BLOCK) {
      this.#made.push({ kind, number, family, version, build, ...content })
    }
    return content
  }
}

type Content = Pick<BlockContent, 'lengths' | 'bytes'>

function versionOf({ block: { kind, number }, version }: LackingBlock): BlockVersion {
  return { kind, number, version }
}
