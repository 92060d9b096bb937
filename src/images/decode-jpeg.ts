import { type HuffmanTable, JpegBits } from './jpeg-bits.ts'
import {
  type BlockReader,
  firstValueReader,
  firstValueRefiner,
  otherValuesReader,
  otherValuesRefiner,
  sequentialReader,
} from './jpeg-blocks.ts'
import { type JpegFrame, type JpegScan, type JpegTables, readJpegSegment } from './jpeg-frame.ts'
import { jpegSegments } from './jpeg-header.ts'
import { JpegPainter } from './jpeg-painter.ts'
import { JpegValues } from './jpeg-values.ts'
import { BrokenImageError, type Decode } from './picture-rows.ts'

/** Runs through a picture; those of cameras have a dozen. More would be made to keep us busy. */
const MOST_SCANS = 50

/**
 * Baseline and progressive JPEG. One whose components come together is drawn while it is read; of others all
 * values have to be kept until the last scan. Given in the smallest of 1, ½, ¼ and ⅛ of its size that is
 * enough.
 */
export const decodeJpeg: Decode = (bytes, wanted, open) => {
  const tables: JpegTables = {
    frame: undefined,
    quantization: [],
    first: [],
    others: [],
    restartInterval: 0,
    adobeTransform: undefined,
  }
  let painter: JpegPainter | undefined
  let values: JpegValues | undefined
  let at = 2
  for (let scans = 0; scans <= MOST_SCANS; scans += 1) {
    const scan = readUpToScan(bytes, at, tables)
    if (!scan) {
      // The first scan may be all there is of a picture; whether it is complete nobody can tell.
      if (!painter || !values) throw new BrokenImageError('No picture')
      for (let row = 0; row < values.unitRows; row += 1) painter.paint(values, row, row)
      return
    }
    const { frame } = tables
    if (!frame) throw new BrokenImageError('No frame')
    painter ??= new JpegPainter(frame, tables, wanted, open)
    const isWhole = !frame.isProgressive && scan.head.parts.length === frame.components.length
    const bits = new JpegBits(bytes, scan.end)
    const readers = scan.head.parts.map((part) => readerOf(frame, scan.head, part, tables))
    if (isWhole && !values) {
      drawWhileReading({ frame, scan: scan.head, readers, bits, interval: tables.restartInterval }, painter)
      return
    }
    values ??= new JpegValues(frame, 'whole')
    keepScan({ frame, scan: scan.head, readers, bits, interval: tables.restartInterval }, values)
    at = bits.at
  }
  throw new BrokenImageError('Too many scans')
}

function readUpToScan(
  bytes: Uint8Array,
  from: number,
  tables: JpegTables,
): { head: JpegScan; end: number } | undefined {
  for (const segment of jpegSegments(bytes, from)) {
    const head = readJpegSegment(bytes, segment, tables)
    if (head) return { head, end: segment.end }
  }
  return undefined
}

interface ScanReading {
  readonly frame: JpegFrame
  readonly scan: JpegScan
  /** One for each part of the scan. */
  readonly readers: readonly BlockReader[]
  readonly bits: JpegBits
  readonly interval: number
}

function readerOf(
  { isProgressive }: JpegFrame,
  { from, to, bitsBefore, bitsAfter }: JpegScan,
  part: JpegScan['parts'][number],
  tables: JpegTables,
): BlockReader {
  const first = () => required(tables.first[part.first])
  const others = () => required(tables.others[part.others])
  if (!isProgressive) return sequentialReader(first(), others())
  if (from === 0)
    return bitsBefore === 0 ? firstValueReader(first(), bitsAfter) : firstValueRefiner(bitsAfter)
  return bitsBefore === 0
    ? otherValuesReader(others(), from, to, bitsAfter)
    : otherValuesRefiner(others(), from, to, bitsAfter)
}

function required(table: HuffmanTable | undefined): HuffmanTable {
  if (!table) throw new BrokenImageError('Codes are missing')
  return table
}

function drawWhileReading(reading: ScanReading, painter: JpegPainter): void {
  const values = new JpegValues(reading.frame, 'row')
  const restarts = new Restarts(reading)
  const { unitRows, unitColumns } = values
  for (let row = 0; row < unitRows; row += 1) {
    values.clear()
    for (let column = 0; column < unitColumns; column += 1) {
      restarts.beforeUnit()
      readUnit(reading, values, column, 0)
    }
    reading.bits.requireNotPastEnd()
    painter.paint(values, row, 0)
  }
}

/** A scan of one component has units of one block, and only those that are seen. */
function keepScan(reading: ScanReading, values: JpegValues): void {
  const { scan, readers, bits } = reading
  const [part] = scan.parts
  const isSingle = scan.parts.length === 1
  const plane = values.planes[part!.component]!
  const rows = isSingle ? plane.rowsSeen : values.unitRows
  const columns = isSingle ? plane.columnsSeen : values.unitColumns
  const restarts = new Restarts(reading)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      restarts.beforeUnit()
      if (isSingle) readers[0]!.read(bits, plane.values, plane.blockAt(column, row))
      else readUnit(reading, values, column, row)
    }
    bits.requireNotPastEnd()
  }
}

function readUnit(
  { frame, scan, readers, bits }: ScanReading,
  values: JpegValues,
  column: number,
  row: number,
) {
  for (let index = 0; index < readers.length; index += 1) {
    const { component } = scan.parts[index]!
    const { across, down } = frame.components[component]!
    const plane = values.planes[component]!
    for (let y = 0; y < down; y += 1) {
      for (let x = 0; x < across; x += 1) {
        readers[index]!.read(bits, plane.values, plane.blockAt(column * across + x, row * down + y))
      }
    }
  }
}

/** Counts units up to the next place where reading begins anew. */
class Restarts {
  readonly #reading: ScanReading
  #left: number

  constructor(reading: ScanReading) {
    this.#reading = reading
    this.#left = reading.interval
  }

  beforeUnit(): void {
    const { interval, bits, readers } = this.#reading
    if (interval === 0) return
    if (this.#left === 0) {
      bits.restart()
      for (const reader of readers) reader.restart()
      this.#left = interval
    }
    this.#left -= 1
  }
}
