import {
  type AnswerInBlocks,
  type Block,
  type BlockKind,
  type BlockRows,
  type HeldBlocks,
  InBlocks,
  LIST,
  ListLater,
  MadeLast,
  MadeLater,
  type PartOfBlock,
  type PartsOfRows,
  type Segment,
  SharedFields,
  STEP,
} from '../../core/blocks.ts'
import { BLOCKS_AT_ONCE, BLOCKS_WORTH_STORING, FEW_BLOCKS, LONG_TEXT } from '../../core/budgets.ts'
import type { Pause, RealmTransaction, Transact } from '../../core/realm-transaction.ts'
import { JSON_OF_AN_ITEM, JSON_OF_ONE_TURN } from '../../core/turn-budgets.ts'
import { blockVersions } from '../../domain/register/block-rows.ts'
import type { Build } from '../runtime.ts'
import { BlocksToSend } from './blocks-to-send.ts'
import { Family, HeldOfFamily, type Versions } from './family-of-blocks.ts'
import { jsonInPieces, WORTH_A_TURN } from './json-in-turns.ts'
import { type LackingBlock, LackingBlocks } from './lacking-blocks.ts'
import { bytesOfTexts, lengthOf, longTextOf, stepsInBytes } from './long-text.ts'
import { NamedBlocks } from './named-blocks.ts'
import { Steps } from './steps-of-answer.ts'

/**
 * Thrown to undo what was done for an answer that lacks too many blocks. What it says about blocks remains
 * true.
 */
export class TooManyBlocksLack extends Error {
  readonly #named: Pick<AnswerInBlocks, 'families' | 'blocks'>
  readonly #blocks: BlocksToSend
  readonly #fills: boolean

  constructor(named: Pick<AnswerInBlocks, 'families' | 'blocks'>, blocks: BlocksToSend, fills: boolean) {
    super('Too many blocks lack')
    this.#named = named
    this.#blocks = blocks
    this.#fills = fills
  }

  /**
   * Returns the blocks, as many as fit, for the request that fetches them: made in further turns, and stored
   * after each.
   */
  async fetched(transact: Transact, pause: Pause): Promise<AnswerInBlocks> {
    // In the same turn, so that the versions are those that the answer has seen.
    transact(({ sql }) => this.#blocks.keep(sql))
    while (this.#fills && !this.#blocks.isOver) {
      await pause()
      transact(({ sql }) => {
        this.#blocks.addLater(sql)
        this.#blocks.keep(sql)
      })
    }
    const steps = new Uint32Array()
    return { isIncomplete: true, text: '', steps, ...this.#named, sent: this.#blocks.sent() }
  }
}

/** Number of items from which on a list is written after the transaction; the longest take 120,000 characters of JSON each. */
const WRITTEN_LATER = 10

/**
 * An answer whose blocks and values are those of its transaction, while lists of it are still to be written. Its texts can cross however
 * long they become: LONG_TEXT.
 */
export interface UnwrittenAnswer extends Pick<AnswerInBlocks, 'text' | 'sent'> {
  /** Returns the answer once its lists are written, in several turns if they are long. */
  write(pause: Pause): Promise<AnswerInBlocks>
}

/**
 * Returns an answer in the form for a Worker that holds blocks, with those that it lacks, as of this
 * transaction. `build`: what the blocks' form depends on besides what is stored.
 * @throws TooManyBlocksLack
 */
export function answerInBlocks(
  tx: RealmTransaction,
  value: object,
  held: HeldBlocks,
  build: Build,
): AnswerInBlocks | UnwrittenAnswer {
  const writer = new Writer(tx, held, build)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const isLast = ([, field]: [string, unknown]) => field instanceof MadeLast
  let comma = '{'
  const add = (name: string, field: unknown) => {
    // Only the blocks are of use.
    if (writer.isInVain && !(field instanceof InBlocks)) return
    if (field instanceof SharedFields) {
      if (field.text === '') return
      writer.add(comma + field.text)
      comma = ','
      return
    }
    writer.add(`${comma}${JSON.stringify(name)}:`)
    comma = ','
    const later = laterOf(field)
    if (later) writer.addLater(later)
    else if (field instanceof InBlocks) for (const segment of field.segments) writer.add(segment)
    else writer.add(JSON.stringify(field))
  }
  for (const [name, field] of fields.filter((one) => !isLast(one))) add(name, field)
  const blocks = writer.sendLacking()
  for (const [name, field] of fields.filter(isLast))
    add(name, field instanceof MadeLast ? field.make() : field)
  writer.add(comma === ',' ? '}' : '{}')
  return writer.finish(tx, blocks)
}

/** Returns a field as one that is written after the transaction, if it is long enough. */
function laterOf(field: unknown): WrittenLater['value'] | undefined {
  const later = Array.isArray(field) ? new ListLater(field, (item) => item) : field
  if (!(later instanceof ListLater || later instanceof MadeLater)) return undefined
  return itemsOf(later) >= WRITTEN_LATER ? later : undefined
}

function itemsOf(later: WrittenLater['value']): number {
  return later instanceof ListLater ? later.rows.length : later.items
}

class Writer {
  readonly #tx: RealmTransaction
  readonly #held: HeldBlocks
  readonly #build: Build
  readonly #texts: (string | WrittenLater)[] = []
  readonly #steps: Steps
  /** Characters since the last step that is not text. */
  #open = 0
  readonly #families = new Map<string, Family>()
  /** That of the last part. */
  #family: Family | undefined
  readonly #blocks = new NamedBlocks()
  /** The positions of the first blocks of rows. */
  readonly #rows = new Map<BlockRows, number>()
  /** The position of the block whose part was added last. */
  #position = -1
  readonly #lacking = new LackingBlocks()
  readonly #versions = new Map<string, Versions>()
  /** The last version that was drawn. */
  #drawn: number | undefined

  constructor(tx: RealmTransaction, held: HeldBlocks, build: Build) {
    this.#tx = tx
    this.#held = held
    this.#build = build
    this.#steps = new Steps()
  }

  /** Whether so many blocks lack that the answer is not sent: `sendLacking` throws. */
  get isInVain(): boolean {
    // Many are sent in turns of their own.
    return this.#lacking.count > (this.#held.fill ? BLOCKS_AT_ONCE : FEW_BLOCKS)
  }

  add(segment: Segment): void {
    if (typeof segment === 'string') {
      this.#texts.push(segment)
      this.#open += segment.length
      return
    }
    this.#closeText()
    if (segment === LIST) this.#steps.add(STEP.list)
    else if ('block' in segment) this.#addPart(segment)
    else this.#addRows(segment)
  }

  addLater(value: WrittenLater['value']): void {
    this.#closeText()
    this.#texts.push({ value, step: this.#steps.add(STEP.text) })
  }

  /**
   * Adds the missing blocks that one turn takes.
   * @throws TooManyBlocksLack when these are not all.
   */
  sendLacking(): BlocksToSend {
    const areWorthStoring = this.#blocks.count >= BLOCKS_WORTH_STORING
    const blocks = new BlocksToSend(this.#lacking, this.#build, areWorthStoring)
    if (!this.isInVain) blocks.add(this.#tx.sql)
    if (!blocks.areAllSent) throw new TooManyBlocksLack(this.#namedBlocks(), blocks, this.#held.fill)
    return blocks
  }

  finish({ sql }: RealmTransaction, blocks: BlocksToSend): AnswerInBlocks | UnwrittenAnswer {
    this.#closeText()
    blocks.keep(sql)
    const sent = blocks.sent()
    const whole = (texts: WrittenTexts): AnswerInBlocks => {
      return { isIncomplete: false, ...this.#inTexts(texts), ...this.#namedBlocks(), sent }
    }
    const written = this.#texts.filter((text) => typeof text === 'string')
    if (written.length === this.#texts.length) return whole({ texts: written })
    return { text: '', sent, write: async (pause) => whole(await this.#writeRest(pause)) }
  }

  /** Returns all texts. What is written later is made, and its bytes are counted, a part in each turn. */
  async #writeRest(pause: Pause): Promise<WrittenTexts> {
    const texts: string[] = []
    const counted = new Map<number, number>()
    let open = 0
    const spend = async (characters: number) => {
      open += characters
      if (open < JSON_OF_ONE_TURN) return
      open = 0
      await pause()
    }
    const made = async (value: WrittenLater['value']) => {
      if (value instanceof ListLater) return value
      const all = value.make()
      await spend(value.items * JSON_OF_AN_ITEM)
      return all
    }
    const items = this.#texts.reduce(
      (sum, text) => sum + (typeof text === 'string' ? 0 : itemsOf(text.value)),
      0,
    )
    if (items >= WORTH_A_TURN) await spend(JSON_OF_ONE_TURN)
    for (const text of this.#texts) {
      if (typeof text === 'string') {
        texts.push(text)
        continue
      }
      let length = 0
      for (const { text: piece, cost } of jsonInPieces(await made(text.value))) {
        counted.set(texts.length, Buffer.byteLength(piece))
        texts.push(piece)
        length += piece.length
        await spend(cost)
      }
      this.#steps.setLength(text.step, length)
    }
    return { texts, counted }
  }

  #inTexts({ texts, counted }: WrittenTexts): Pick<AnswerInBlocks, 'text' | 'steps' | 'longText'> {
    if (lengthOf(texts) <= LONG_TEXT) {
      return { text: texts.join(''), steps: this.#steps.all }
    }
    const sizes = bytesOfTexts(texts, counted)
    return {
      text: '',
      steps: stepsInBytes(this.#steps.all, texts, sizes),
      longText: longTextOf(texts, sizes),
    }
  }

  #namedBlocks(): Pick<AnswerInBlocks, 'families' | 'blocks'> {
    return {
      families: [...this.#families.keys()].map((family) => this.#named(family)),
      blocks: this.#blocks.all,
    }
  }

  #closeText(): void {
    if (this.#open > 0) this.#steps.add(STEP.text, this.#open)
    this.#open = 0
  }

  #addPart({ block, part, instead }: PartOfBlock): void {
    const position = this.#positionOf(block)
    if (instead === undefined) {
      this.#steps.addPart(position, part)
      return
    }
    this.#steps.add(STEP.part, position, part, instead.length)
    this.#texts.push(instead)
  }

  #addRows({ of, rows = [...of.numbers.keys()], parts, between }: PartsOfRows): void {
    if (rows.length === 0) return
    const steps = { first: this.#rows.get(of) ?? this.#enterRows(of), rows, parts }
    if (this.isInVain) return
    if (!between) {
      this.#steps.addRows(steps)
      return
    }
    const texts = between()
    this.#steps.addRowsWithTexts(steps, texts)
    for (const text of texts) this.#texts.push(text)
  }

  /** Enters the blocks of all rows. Returns the position of the first. */
  #enterRows(rows: BlockRows): number {
    const { families, numbers } = rows
    const width = families.length
    const reserved = this.#blocks.reserve(width * numbers.length)
    for (const [at, of] of families.entries()) {
      const { position, held, versions: known } = this.#familyOf(of)
      const first = reserved + at
      const versions = this.#versionsOfEach(numbers, known)
      this.#blocks.enterEach(position, numbers, versions, { first, width })
      const lacking = held.lackingOf(numbers, versions)
      this.#lacking.addRows({
        family: of,
        rows: lacking,
        numbers,
        versions,
        stored: known.stored,
        first,
        width,
      })
    }
    this.#rows.set(rows, reserved)
    return reserved
  }

  #positionOf(block: Block): number {
    const family = this.#familyOf(block)
    // A list goes through the blocks in the order of the list before it.
    const next = this.#position + 1
    this.#position = this.#blocks.isAt(next, family.position, block.number)
      ? next
      : (family.positionOf(block.number) ?? this.#enter(block, family))
    return this.#position
  }

  #enter(block: Block, family: Family): number {
    const { version, isNew } = this.#versionOf(block, family.versions)
    const position = this.#blocks.add(family.position, block.number, version)
    family.enter(block.number, position)
    if (!family.held.has(block.number, version)) this.#lacking.add({ position, block, version, isNew })
    return position
  }

  /** Draws the first version, and counts on: each block has a version that it had never before all the same. */
  #draw(): number {
    this.#drawn =
      this.#drawn === undefined ? Number.parseInt(this.#tx.randomHex(DIGITS / 2), 16) : this.#drawn + 1
    return this.#drawn
  }

  #familyOf({ family: name, kind }: Pick<Block, 'kind' | 'family'>): Family {
    if (this.#family?.name === name) return this.#family
    const family =
      this.#families.get(name) ??
      new Family(
        name,
        this.#families.size,
        new HeldOfFamily(this.#held.families[this.#named(name)]),
        this.#versionsOf(kind),
      )
    this.#families.set(name, family)
    this.#family = family
    return family
  }

  #named(family: string): string {
    return `${this.#build.name} ${family}`
  }

  #versionsOf(kind: BlockKind): Versions {
    const known = this.#versions.get(kind)
    if (known) return known
    const versions = { stored: blockVersions(this.#tx.sql, kind), drawn: new Map() }
    this.#versions.set(kind, versions)
    return versions
  }

  #versionsOfEach(numbers: readonly number[], versions: Versions): Float64Array {
    const { stored } = versions
    const all = new Float64Array(numbers.length)
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at]!
      all[at] = stored.get(number) ?? this.#versionOf({ number }, versions).version
    }
    return all
  }

  #versionOf(
    { number }: Pick<Block, 'number'>,
    { stored, drawn }: Versions,
  ): Pick<LackingBlock, 'version' | 'isNew'> {
    const known = stored.get(number)
    if (known !== undefined) return { version: known, isNew: false }
    const version = drawn.get(number) ?? this.#draw()
    drawn.set(number, version)
    return { version, isNew: true }
  }
}

/** The texts of an answer, and the bytes of those that were counted, by the index of the text. */
interface WrittenTexts {
  readonly texts: readonly string[]
  readonly counted?: ReadonlyMap<number, number>
}

/** What is written later among the texts, and the index of its step. */
interface WrittenLater {
  readonly value: ListLater | MadeLater
  readonly step: number
}

/** Hex digits of a version. */
const DIGITS = 12
