import { BitReader, type HuffmanTable } from './jpeg-bits.ts'
import type { Component, JpegFrame } from './jpeg-frame.ts'
import type { JpegTables } from './jpeg-tables.ts'
import { BrokenImageError } from './picture.ts'

const LAST = 63
const MAX_SHIFT = 13
/** A code with this run and without a value stands for sixteen zeros; with a lesser run, for the end of blocks. */
const ZEROS = 15

/** A component's part in a scan. */
interface Part {
  readonly component: Component
  readonly dc: HuffmanTable
  readonly ac: HuffmanTable
  /** The first coefficient of the block before, from which the next one differs. */
  before: number
}

/** The part of each block that a scan has: coefficients from `first` to `last`, without their lowest `shift` bits. */
interface Slice {
  readonly first: number
  readonly last: number
  readonly shift: number
}

type DecodeBlock = (part: Part, block: number) => void

/** A scan: all coefficients of some components, or some of each block's, or one more bit of some. Source: ITU-T T.81, annexes F and G. */
export class JpegScan {
  /** Numbers of units: rectangles of blocks of all parts, or single blocks where there is one part. */
  readonly rows: number
  readonly #columns: number
  readonly #parts: readonly Part[]
  readonly #decode: DecodeBlock
  readonly #reader: BitReader
  readonly #restartInterval: number
  #units = 0
  /** Blocks that follow and have nothing in this scan. */
  #emptyBlocks = 0

  /**
   * @param head the scan's segment, which its bits follow in `bytes` at `at`.
   * @throws BrokenImageError
   */
  constructor(frame: JpegFrame, tables: JpegTables, head: Uint8Array, bytes: Uint8Array, at: number) {
    this.#parts = partsOf(frame, tables, head)
    const [alone, ...others] = this.#parts
    const isAlone = others.length === 0
    this.#columns = isAlone ? alone!.component.ownAcross : frame.unitsAcross
    this.rows = isAlone ? alone!.component.ownDown : frame.unitsDown
    this.#reader = new BitReader(bytes, at)
    this.#restartInterval = tables.restartInterval
    this.#decode = frame.isProgressive ? this.#decoderFor(head.subarray(-3), isAlone) : this.#decodeWhole
  }

  /** Decodes a row of units. @throws BrokenImageError */
  decodeRow(row: number): void {
    const isAlone = this.#parts.length === 1
    for (let column = 0; column < this.#columns; column += 1) {
      if (this.#restartInterval > 0 && this.#units > 0 && this.#units % this.#restartInterval === 0)
        this.#restart()
      this.#units += 1
      for (const part of this.#parts) {
        const { across, down, rowsHeld, rowBlocks } = part.component
        if (isAlone) this.#decode(part, (row % rowsHeld) * rowBlocks + column)
        else {
          for (let y = 0; y < down; y += 1) {
            const first = ((row * down + y) % rowsHeld) * rowBlocks + column * across
            for (let x = 0; x < across; x += 1) this.#decode(part, first + x)
          }
        }
      }
    }
    this.#reader.requireTrue()
  }

  #restart(): void {
    this.#reader.restart()
    this.#emptyBlocks = 0
    for (const part of this.#parts) part.before = 0
  }

  /** @param range first and last coefficient, and how many bits are known and left out. */
  #decoderFor([first, last, shifts]: Uint8Array, isAlone: boolean): DecodeBlock {
    const [known, shift] = [shifts! >> 4, shifts! & 15]
    const slice = { first: first!, last: last!, shift }
    const isRefinement = known > 0
    if (shift > MAX_SHIFT || (isRefinement && known !== shift + 1)) throw new BrokenImageError('No such scan')
    if (first === 0 && last === 0) return isRefinement ? this.#refineFirst(slice) : this.#decodeFirst(slice)
    if (!isAlone || first! === 0 || first! > last! || last! > LAST) throw new BrokenImageError('No such scan')
    return isRefinement ? this.#refineSlice(slice) : this.#decodeSlice(slice)
  }

  readonly #decodeWhole: DecodeBlock = (part, block) => {
    const reader = this.#reader
    const { coefficients, positions, edge } = part.component
    const at = block * edge * edge
    coefficients.fill(0, at, at + edge * edge)
    part.before += reader.value(reader.symbol(part.dc))
    coefficients[at] = part.before
    for (let index = 1; index <= LAST; index += 1) {
      const symbol = reader.symbol(part.ac)
      const size = symbol & 15
      const run = symbol >> 4
      if (size === 0 && run < ZEROS) return
      index += run
      if (index > LAST) throw new BrokenImageError('A block is too long')
      const position = positions[index]!
      if (position < 0) reader.bits(size)
      else coefficients[at + position] = reader.value(size)
    }
  }

  #decodeFirst({ shift }: Slice): DecodeBlock {
    return (part, block) => {
      part.before += this.#reader.value(this.#reader.symbol(part.dc))
      part.component.coefficients[block * part.component.edge ** 2] = part.before << shift
    }
  }

  #refineFirst({ shift }: Slice): DecodeBlock {
    return ({ component: { coefficients, edge } }, block) => {
      coefficients[block * edge ** 2]! |= this.#reader.bits(1) << shift
    }
  }

  #decodeSlice({ first, last, shift }: Slice): DecodeBlock {
    return (part, block) => {
      if (this.#emptyBlocks > 0) {
        this.#emptyBlocks -= 1
        return
      }
      const reader = this.#reader
      for (let index = first; index <= last; index += 1) {
        const symbol = reader.symbol(part.ac)
        const size = symbol & 15
        const run = symbol >> 4
        if (size === 0 && run < ZEROS) {
          this.#emptyBlocks = (1 << run) - 1 + reader.bits(run)
          return
        }
        index += run
        if (index > last) throw new BrokenImageError('A block is too long')
        if (size > 0) enter(part.component, block, index, reader.value(size) << shift)
      }
    }
  }

  #refineSlice({ first, last, shift }: Slice): DecodeBlock {
    return (part, block) => {
      const { component } = part
      const reader = this.#reader
      let index = first
      for (; index <= last && this.#emptyBlocks === 0; index += 1) {
        const symbol = reader.symbol(part.ac)
        const run = symbol >> 4
        if ((symbol & 15) === 0 && run < ZEROS) {
          this.#emptyBlocks = (1 << run) + reader.bits(run)
          break
        }
        const value = (symbol & 15) === 0 ? 0 : (reader.bits(1) === 1 ? 1 : -1) << shift
        index = refine(reader, component, block, { first: index, last, shift }, run)
        if (value !== 0 && index <= last) enter(component, block, index, value)
      }
      if (this.#emptyBlocks === 0) return
      this.#emptyBlocks -= 1
      const isZero = component.nonzero[block * 2] === 0 && component.nonzero[block * 2 + 1] === 0
      if (!isZero) refine(reader, component, block, { first: index, last, shift }, LAST + 1)
    }
  }
}

function enter(
  { coefficients, nonzero, positions, edge }: Component,
  block: number,
  index: number,
  value: number,
): void {
  nonzero[block * 2 + (index >> 5)]! |= 1 << (index & 31)
  const position = positions[index]!
  if (position >= 0) coefficients[block * edge * edge + position] = value
}

/**
 * Takes one more bit of each coefficient that is not zero, up to a zero that `zeros` others precede.
 * @returns the index of that zero; past the last if there is none.
 */
function refine(
  reader: BitReader,
  { coefficients, nonzero, positions, edge }: Component,
  block: number,
  { first, last, shift }: Slice,
  zeros: number,
): number {
  let left = zeros
  let index = first
  for (; index <= last; index += 1) {
    if (((nonzero[block * 2 + (index >> 5)]! >>> (index & 31)) & 1) === 0) {
      if (left === 0) return index
      left -= 1
    } else if (reader.bits(1) === 1 && positions[index]! >= 0) {
      const at = block * edge * edge + positions[index]!
      coefficients[at]! += coefficients[at]! < 0 ? -(1 << shift) : 1 << shift
    }
  }
  return index
}

function partsOf(frame: JpegFrame, tables: JpegTables, head: Uint8Array): Part[] {
  const count = head[0]!
  if (count < 1 || count > frame.components.length || head.length !== 4 + 2 * count) {
    throw new BrokenImageError('No such scan')
  }
  const parts = Array.from({ length: count }, (_, index) => {
    const component = frame.components.find(({ id }) => id === head[1 + 2 * index])
    if (!component) throw new BrokenImageError('No such component')
    component.quantize(tables.quantizationOf(component.quantizationId))
    const ids = head[2 + 2 * index]!
    return { component, dc: tables.dcOf(ids >> 4), ac: tables.acOf(ids & 15), before: 0 }
  })
  if (new Set(parts.map(({ component }) => component)).size < count)
    throw new BrokenImageError('No such scan')
  return parts
}
