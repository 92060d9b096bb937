import type { JpegFrame } from './jpeg-frame.ts'
import { BrokenImageError } from './picture-rows.ts'

/** What may be kept of a picture that cannot be drawn while it is read: 14 megapixels with halved colours. */
const MOST_BYTES = 40 * 1024 * 1024

/** The frequencies of a component, block by block, 64 each. */
export interface ValuePlane {
  readonly values: Int16Array
  readonly blocksAcross: number
  /** Blocks in which something of the picture lies. */
  readonly columnsSeen: number
  readonly rowsSeen: number
  /** Where a block begins in `values`. */
  blockAt(column: number, row: number): number
}

/** The frequencies of a whole picture, or of a row of units of it. */
export class JpegValues {
  readonly planes: readonly ValuePlane[]
  readonly unitColumns: number
  readonly unitRows: number

  /** @throws BrokenImageError when it would take too much memory. */
  constructor({ width, height, components, mostAcross, mostDown }: JpegFrame, extent: 'whole' | 'row') {
    this.unitColumns = Math.ceil(width / (8 * mostAcross))
    this.unitRows = Math.ceil(height / (8 * mostDown))
    const rows = extent === 'whole' ? this.unitRows : 1
    const sizes = components.map(({ across, down }) => this.unitColumns * across * rows * down * 64)
    if (2 * sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) {
      throw new BrokenImageError('The picture is too large')
    }
    this.planes = components.map(({ across, down }, index) => {
      const blocksAcross = this.unitColumns * across
      return {
        values: new Int16Array(sizes[index]!),
        blocksAcross,
        columnsSeen: Math.ceil((width * across) / mostAcross / 8),
        rowsSeen: Math.ceil((height * down) / mostDown / 8),
        blockAt: (column, row) => (row * blocksAcross + column) * 64,
      }
    })
  }

  clear(): void {
    for (const { values } of this.planes) values.fill(0)
  }
}
