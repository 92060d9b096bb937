import { HuffmanTable } from './jpeg-bits.ts'
import { isFrame, type JpegSegment } from './jpeg-header.ts'
import { BrokenImageError } from './picture-rows.ts'
import { hasLetters, uint16 } from './read-bytes.ts'
import type { StoredSize } from './stored-size.ts'

/** One of the planes a picture consists of: brightness, and two of colour, as a rule. */
export interface JpegComponent {
  readonly id: number
  /** How many blocks it has, across and down, in each unit. */
  readonly across: number
  readonly down: number
  readonly quantization: number
}

export interface JpegFrame extends StoredSize {
  readonly isProgressive: boolean
  readonly components: readonly JpegComponent[]
  /** The most that any component has. */
  readonly mostAcross: number
  readonly mostDown: number
}

/** What one run through some of the components tells. */
export interface JpegScan {
  /** Places in `JpegFrame.components`, with the tables for the first value of a block and the others. */
  readonly parts: readonly { readonly component: number; readonly first: number; readonly others: number }[]
  /** Which values of a block, by frequency. */
  readonly from: number
  readonly to: number
  /** Which bits of them: 0 for `bitsBefore` when none has come before. */
  readonly bitsBefore: number
  readonly bitsAfter: number
}

/** What the segments up to a scan have told. */
export interface JpegTables {
  frame: JpegFrame | undefined
  readonly quantization: Uint16Array[]
  readonly first: HuffmanTable[]
  readonly others: HuffmanTable[]
  /** Units between two markers that begin anew; 0 for none. */
  restartInterval: number
  /** 0 colours as they are, 1 brightness and colour, 2 the same with black. Undefined without Adobe's word. */
  adobeTransform: number | undefined
}

const SCAN = 0xda

/** Takes a segment into the tables; answers the scan that begins with it, if it is one's head. */
export function readJpegSegment(
  bytes: Uint8Array,
  { marker, start, end }: JpegSegment,
  tables: JpegTables,
): JpegScan | undefined {
  const data = bytes.subarray(start, end)
  if (isFrame(marker)) {
    if (tables.frame) throw new BrokenImageError('A second frame')
    tables.frame = readFrame(marker, data)
  } else if (marker === 0xdb) readQuantization(data, tables)
  else if (marker === 0xc4) readHuffman(data, tables)
  else if (marker === 0xdd) tables.restartInterval = uint16(data, 0)
  else if (marker === 0xee && hasLetters(data, 0, 'Adobe')) tables.adobeTransform = data[11]
  return marker === SCAN ? readScan(data, tables) : undefined
}

function readFrame(marker: number, data: Uint8Array): JpegFrame {
  // Baseline, extended, progressive; the others are unheard of outside laboratories.
  if (marker > 0xc2 || data[0] !== 8) throw new BrokenImageError('No such form of JPEG')
  const count = data[5] ?? 0
  if (![1, 3, 4].includes(count)) throw new BrokenImageError('No such number of components')
  const components = Array.from({ length: count }, (_, index): JpegComponent => {
    const [id = 0, factors = 0, quantization = 0] = data.subarray(6 + index * 3, 9 + index * 3)
    // A single one has one block a unit, whatever it says.
    const [across, down] = count === 1 ? [1, 1] : [factors >> 4, factors & 15]
    if (across < 1 || across > 4 || down < 1 || down > 4 || quantization > 3) {
      throw new BrokenImageError('No such component')
    }
    return { id, across, down, quantization }
  })
  return {
    width: uint16(data, 3),
    height: uint16(data, 1),
    isProgressive: marker === 0xc2,
    components,
    mostAcross: Math.max(...components.map(({ across }) => across)),
    mostDown: Math.max(...components.map(({ down }) => down)),
  }
}

function readQuantization(data: Uint8Array, { quantization }: JpegTables): void {
  for (let at = 0; at < data.length; ) {
    const head = data[at]!
    const isWide = head >> 4 !== 0
    const table = new Uint16Array(64)
    for (let index = 0; index < 64; index += 1) {
      table[index] = isWide ? uint16(data, at + 1 + index * 2) : (data[at + 1 + index] ?? 0)
    }
    quantization[head & 3] = table
    at += isWide ? 129 : 65
  }
}

function readHuffman(data: Uint8Array, tables: JpegTables): void {
  for (let at = 0; at + 17 <= data.length; ) {
    const head = data[at]!
    const counts = data.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const kind = head >> 4 === 0 ? tables.first : tables.others
    kind[head & 3] = new HuffmanTable(counts, data.subarray(at + 17, at + 17 + total))
    at += 17 + total
  }
}

function readScan(data: Uint8Array, { frame }: JpegTables): JpegScan {
  const count = data[0] ?? 0
  if (!frame || count < 1 || count > frame.components.length) throw new BrokenImageError('No such scan')
  const parts = Array.from({ length: count }, (_, index) => {
    const [id, tables = 0] = data.subarray(1 + index * 2, 3 + index * 2)
    const component = frame.components.findIndex((candidate) => candidate.id === id)
    if (component < 0) throw new BrokenImageError('No such component')
    return { component, first: (tables >> 4) & 3, others: tables & 3 }
  })
  const [from = 0, to = 0, bits = 0] = data.subarray(1 + count * 2, 4 + count * 2)
  if (!frame.isProgressive) return { parts, from: 0, to: 63, bitsBefore: 0, bitsAfter: 0 }
  const isFirstOnly = from === 0 && to === 0
  if (to > 63 || from > to || (from === 0 && !isFirstOnly) || (from > 0 && count > 1) || (bits & 15) > 13) {
    throw new BrokenImageError('No such scan')
  }
  return { parts, from, to, bitsBefore: bits >> 4, bitsAfter: bits & 15 }
}
