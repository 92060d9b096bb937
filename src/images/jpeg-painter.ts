import { colorsOf, type PlaneRow, type WriteColors } from './jpeg-colors.ts'
import type { JpegFrame, JpegTables } from './jpeg-frame.ts'
import { BlockPainter, type BlockSize } from './jpeg-planes.ts'
import type { JpegValues } from './jpeg-values.ts'
import { BrokenImageError, type RowTaker, requireDecodable } from './picture-rows.ts'
import type { StoredSize } from './stored-size.ts'

/** The pixels of a row of units of one component. */
interface Plane {
  readonly pixels: Uint8ClampedArray
  readonly width: number
  readonly block: BlockSize
  readonly painter: BlockPainter
  /** Blocks in a unit, one above the other. */
  readonly down: number
  /** Pixels of it for one of the picture. */
  readonly scaleX: number
  readonly scaleY: number
}

/** Draws a picture, one row of units after the other. */
export class JpegPainter {
  readonly #taker: RowTaker
  readonly #columns: number
  readonly #rows: number
  readonly #planes: readonly Plane[]
  readonly #unitHeight: number
  readonly #write: WriteColors
  readonly #rgba: Uint8ClampedArray

  constructor(
    frame: JpegFrame,
    tables: JpegTables,
    wanted: StoredSize,
    open: (size: StoredSize) => RowTaker,
  ) {
    if (frame.width === 0 || frame.height === 0) throw new BrokenImageError('No size')
    requireDecodable(frame)
    const edge = smallestEdge(frame, wanted)
    const size = shrunk(frame, edge)
    this.#taker = open(size)
    this.#columns = Math.ceil(size.width)
    this.#rows = Math.ceil(size.height)
    this.#unitHeight = frame.mostDown * edge
    this.#write = colorsOf(frame, tables)
    this.#rgba = new Uint8ClampedArray(this.#columns * 4)
    const unitColumns = Math.ceil(frame.width / (8 * frame.mostAcross))
    this.#planes = frame.components.map((component) => {
      const quantization = tables.quantization[component.quantization]
      if (!quantization) throw new BrokenImageError('A table is missing')
      // Where there are half as many values of a component, its blocks are shrunk half as much.
      const block = {
        across: blockEdge(edge, frame.mostAcross / component.across),
        down: blockEdge(edge, frame.mostDown / component.down),
      }
      const width = unitColumns * component.across * block.across
      return {
        pixels: new Uint8ClampedArray(width * component.down * block.down),
        width,
        block,
        painter: new BlockPainter(block, quantization),
        down: component.down,
        scaleX: (component.across * block.across) / (frame.mostAcross * edge),
        scaleY: (component.down * block.down) / (frame.mostDown * edge),
      }
    })
  }

  /** Row `row` of the units, which is row `from` of `values`. */
  paint(values: JpegValues, row: number, from: number): void {
    this.#planes.forEach((plane, index) => {
      const { values: numbers, blocksAcross, blockAt } = values.planes[index]!
      const { painter, pixels, width, block } = plane
      for (let y = 0; y < plane.down; y += 1) {
        const start = y * block.down * width
        for (let x = 0; x < blocksAcross; x += 1) {
          painter.paint(numbers, blockAt(x, from * plane.down + y), pixels, start + x * block.across, width)
        }
      }
    })
    const top = row * this.#unitHeight
    const bottom = Math.min(top + this.#unitHeight, this.#rows)
    for (let y = top; y < bottom; y += 1) {
      const rows = this.#planes.map(
        ({ pixels, width, scaleX, scaleY }): PlaneRow => ({
          plane: pixels,
          from: Math.floor((y - top) * scaleY) * width,
          scale: scaleX,
        }),
      )
      this.#write(rows, this.#columns, this.#rgba)
      this.#taker.take(y, this.#rgba, 0, 1, this.#columns)
    }
  }
}

/** How many pixels wide and high a block becomes so that the picture is at least as large as wanted. */
function smallestEdge(size: StoredSize, wanted: StoredSize): number {
  const isEnough = (edge: number) => {
    const { width, height } = shrunk(size, edge)
    return width >= wanted.width && height >= wanted.height
  }
  return [1, 2, 4].find(isEnough) ?? 8
}

/** Not rounded: the last pixels may stand for less than the others. */
function shrunk({ width, height }: StoredSize, edge: number): StoredSize {
  return { width: (width * edge) / 8, height: (height * edge) / 8 }
}

function blockEdge(edge: number, ratio: number): number {
  return [2, 4].includes(ratio) ? Math.min(edge * ratio, 8) : edge
}
