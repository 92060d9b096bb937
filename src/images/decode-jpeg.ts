import { type JpegFrame, readJpegFrame } from './jpeg-frame.ts'
import { END, isFrame, type JpegSegment, jpegSegments, SCAN } from './jpeg-header.ts'
import { colorsOf, JpegRows } from './jpeg-rows.ts'
import { JpegScan } from './jpeg-scan.ts'
import { JpegTables } from './jpeg-tables.ts'
import { BrokenImageError, type PictureInRows, requireMemory } from './picture.ts'
import type { Turns } from './turns.ts'

/** Limit of a picture that is decoded: phones take up to 50 megapixels. A larger one would keep a Worker busy for seconds, although in short turns. */
const MAX_PIXELS = 52_000_000
/** Limit of the pixels of all scans together. Those of cameras have a dozen scans if they are progressive; more would only cost time. */
const MAX_SCANNED_PIXELS = 600_000_000

/**
 * Decodes a baseline or progressive JPEG in rows, at `scale` or more of its size, up to twice that: from the lower frequencies alone, which
 * takes a fraction of time and memory. A baseline picture is never in memory as a whole; of a progressive one, the needed coefficients are.
 * @throws BrokenImageError
 */
export function jpegInRows(bytes: Uint8Array, scale: number): PictureInRows {
  const file = new JpegFile(bytes, scale)
  const { width, height } = file.rows
  return { width, height, rows: (turns) => file.decode(turns) }
}

/** A JPEG that has been read up to its first scan. */
class JpegFile {
  readonly rows: JpegRows
  readonly #bytes: Uint8Array
  readonly #segments: Generator<JpegSegment>
  readonly #tables = new JpegTables()
  readonly #frame: JpegFrame
  readonly #first: JpegSegment
  /** Whether the first scan has the whole picture, so that each row can be drawn at once. */
  readonly #isInOneScan: boolean

  constructor(bytes: Uint8Array, scale: number) {
    this.#bytes = bytes
    this.#segments = jpegSegments(bytes)
    let frame: JpegFrame | undefined
    let segment = this.#next()
    for (; segment.marker !== SCAN; segment = this.#next()) {
      if (isFrame(segment.marker) && !frame)
        frame = readJpegFrame(segment.marker, this.#dataOf(segment), scale)
      else this.#readTables(segment)
    }
    if (!frame || frame.width * frame.height > MAX_PIXELS)
      throw new BrokenImageError('The picture is too large')
    this.#frame = frame
    this.#first = segment
    this.#isInOneScan = !frame.isProgressive && bytes[segment.start] === frame.components.length
    this.#hold()
    this.rows = new JpegRows(frame, colorsOf(frame, this.#tables.adobeTransform))
  }

  async *decode(turns: Turns): ReturnType<PictureInRows['rows']> {
    const { width, height, components } = this.#frame
    let scanned = 0
    for (let segment = this.#first; segment.marker !== END; segment = this.#next()) {
      if (segment.marker !== SCAN) {
        this.#readTables(segment)
        continue
      }
      const isTooMuch = this.#isInOneScan ? scanned > 0 : scanned > MAX_SCANNED_PIXELS
      if (isTooMuch) throw new BrokenImageError('There are too many scans')
      scanned += width * height
      const scan = new JpegScan(this.#frame, this.#tables, this.#dataOf(segment), this.#bytes, segment.end)
      for (let row = 0; row < scan.rows; row += 1) {
        scan.decodeRow(row)
        if (this.#isInOneScan) yield* this.#drawn(row)
        await turns.after((width * height) / scan.rows)
      }
    }
    if (this.#isInOneScan) return
    if (components.some(({ multipliers }) => !multipliers)) throw new BrokenImageError('A scan is missing')
    for (let row = 0; row < this.#frame.unitsDown; row += 1) {
      yield* this.#drawn(row)
      await turns.after((width * height) / this.#frame.unitsDown)
    }
  }

  *#drawn(unitRow: number) {
    const { height, rowsOfUnit } = this.rows
    this.rows.draw(unitRow)
    const count = Math.min(rowsOfUnit, height - unitRow * rowsOfUnit)
    for (let y = 0; y < count; y += 1) yield { data: this.rows.row(y), start: 0 }
  }

  /** Takes the memory for coefficients: of one row of units, or of all. */
  #hold(): void {
    const { components, isProgressive, unitsDown } = this.#frame
    const unitRows = this.#isInOneScan ? 1 : unitsDown
    const held = components.map((component) => unitRows * component.down * component.rowBytes(isProgressive))
    requireMemory(held.reduce((sum, bytes) => sum + bytes, JpegRows.bytesFor(this.#frame)))
    for (const component of components) component.hold(unitRows * component.down, isProgressive)
  }

  #readTables(segment: JpegSegment): void {
    if (isFrame(segment.marker)) throw new BrokenImageError('There is a second frame')
    this.#tables.read(segment.marker, this.#dataOf(segment))
  }

  #next(): JpegSegment {
    const { value, done } = this.#segments.next()
    if (done) throw new BrokenImageError('The picture ends too early')
    return value
  }

  #dataOf({ start, end }: JpegSegment): Uint8Array {
    return this.#bytes.subarray(start, end)
  }
}
