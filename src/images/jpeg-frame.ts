import { type Edge, type InverseDct, inverseDctOf } from './inverse-dct.ts'
import { BrokenImageError, type StoredSize } from './picture.ts'
import { uint16 } from './read-bytes.ts'

/** The position of each coefficient in its block, row by row, in the order in which a file has them. Source: ITU-T T.81, figure A.6. */
const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]

const BASELINE = 0xc0
const EXTENDED = 0xc1
const PROGRESSIVE = 0xc2

const BLOCK = 8
const MAX_SAMPLING = 4
const COMPONENT_COUNTS = [1, 3, 4]

/** A component of a picture (its brightness, one of two colours, or an ink): its blocks, and where its coefficients are held. */
export class Component {
  readonly id: number
  /** Number of blocks in a unit, which all components share: a rectangle of a picture. */
  readonly across: number
  readonly down: number
  readonly quantizationId: number
  /** Numbers of blocks that the picture reaches into: fewer than those of all units. */
  readonly ownAcross: number
  readonly ownDown: number
  /** Blocks in a row, those beyond the edge of the picture included. */
  readonly rowBlocks: number
  /** Values along a side of a block that are drawn. Only their coefficients are held. */
  readonly edge: Edge
  readonly inverseDct: InverseDct
  /** For each coefficient in the order of the file its position in a held block; -1 for one that is not held. */
  readonly positions: Int8Array
  coefficients = new Int16Array(0)
  /** Of a progressive picture: bits for the coefficients that are not zero, held or not, 64 a block. */
  nonzero = new Uint32Array(0)
  /** Multipliers of the held coefficients, once a scan of the component has begun. */
  multipliers: Float64Array | undefined
  /** Number of rows of blocks that are held. */
  rowsHeld = 0

  constructor(
    { id, across, down, quantizationId }: DeclaredComponent,
    { width, height, unitsAcross, maxAcross, maxDown }: FrameSize,
    edge: Edge,
  ) {
    this.id = id
    this.across = across
    this.down = down
    this.quantizationId = quantizationId
    this.ownAcross = Math.ceil(Math.ceil((width * across) / maxAcross) / BLOCK)
    this.ownDown = Math.ceil(Math.ceil((height * down) / maxDown) / BLOCK)
    this.rowBlocks = unitsAcross * across
    this.edge = edge
    this.inverseDct = inverseDctOf(edge)
    this.positions = Int8Array.from(ZIGZAG, (position) => {
      const [x, y] = [position % BLOCK, Math.floor(position / BLOCK)]
      return x < edge && y < edge ? y * edge + x : -1
    })
  }

  /** Bytes that a row of blocks takes. */
  rowBytes(isProgressive: boolean): number {
    return this.rowBlocks * (this.edge ** 2 * 2 + (isProgressive ? 8 : 0))
  }

  hold(rows: number, isProgressive: boolean): void {
    this.rowsHeld = rows
    this.coefficients = new Int16Array(rows * this.rowBlocks * this.edge ** 2)
    if (isProgressive) this.nonzero = new Uint32Array(rows * this.rowBlocks * 2)
  }

  /** @param table in the order of the file. */
  quantize(table: Uint16Array): void {
    const multipliers = new Float64Array(this.edge ** 2)
    for (let index = 0; index < table.length; index += 1) {
      const position = this.positions[index]!
      if (position >= 0) multipliers[position] = table[index]!
    }
    this.multipliers ??= multipliers
  }
}

interface DeclaredComponent {
  readonly id: number
  readonly across: number
  readonly down: number
  readonly quantizationId: number
}

interface FrameSize extends StoredSize {
  readonly unitsAcross: number
  readonly maxAcross: number
  readonly maxDown: number
}

/** The picture of a JPEG, as it is declared before its first scan. */
export interface JpegFrame extends FrameSize {
  readonly isProgressive: boolean
  readonly unitsDown: number
  /** Pixels along each side of what is drawn of a block of eight by eight. */
  readonly edge: Edge
  readonly components: readonly Component[]
}

/**
 * Reads a frame that is to be drawn at `scale` or more, in eighths, quarters, halves or whole.
 * @throws BrokenImageError
 */
export function readJpegFrame(marker: number, segment: Uint8Array, scale: number): JpegFrame {
  const isKnown = marker === BASELINE || marker === EXTENDED || marker === PROGRESSIVE
  const [height, width, count] = [uint16(segment, 1), uint16(segment, 3), segment[5]!]
  const isPossible = isKnown && segment[0] === 8 && COMPONENT_COUNTS.includes(count)
  if (!isPossible || width === 0 || height === 0 || segment.length < 6 + 3 * count) {
    throw new BrokenImageError('No such form of JPEG')
  }
  const declared = Array.from({ length: count }, (_, index) => declaredAt(segment, 6 + 3 * index, count))
  const maxAcross = Math.max(...declared.map(({ across }) => across))
  const maxDown = Math.max(...declared.map(({ down }) => down))
  const unitsAcross = Math.ceil(width / (BLOCK * maxAcross))
  const size = { width, height, unitsAcross, maxAcross, maxDown }
  const edge = edgeFor(scale)
  return {
    ...size,
    isProgressive: marker === PROGRESSIVE,
    unitsDown: Math.ceil(height / (BLOCK * maxDown)),
    edge,
    components: declared.map((component) => {
      // One that has fewer blocks for the same pixels needs more of each.
      const fewer = Math.max(maxAcross / component.across, maxDown / component.down)
      const times = fewer >= 4 ? 4 : fewer >= 2 ? 2 : 1
      return new Component(component, size, edgeFor((edge * times) / BLOCK))
    }),
  }
}

function declaredAt(segment: Uint8Array, at: number, count: number): DeclaredComponent {
  const sampling = segment[at + 1]!
  // A single component has no others to share a unit with.
  const [across, down] = count === 1 ? [1, 1] : [sampling >> 4, sampling & 15]
  if (across < 1 || across > MAX_SAMPLING || down < 1 || down > MAX_SAMPLING) {
    throw new BrokenImageError('No such sampling')
  }
  return { id: segment[at]!, across, down, quantizationId: segment[at + 2]! }
}

/** Returns the least number of values that gives a picture of at least this scale. */
function edgeFor(scale: number): Edge {
  if (scale <= 1 / 8) return 1
  if (scale <= 1 / 4) return 2
  return scale <= 1 / 2 ? 4 : 8
}
