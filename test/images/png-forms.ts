import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

interface PngForm {
  readonly width: number
  readonly height: number
  /** Colour type of the header: 0 gray, 2 RGB, 3 indexed, 4 gray with alpha, 6 RGB with alpha. */
  readonly color: number
  readonly depth: number
  /** Each row begins with the number of its filter; an interlaced picture has the rows of seven passes. */
  readonly rows: readonly (readonly number[])[]
  readonly isInterlaced?: boolean
  /** Further chunks before the rows. */
  readonly chunks?: readonly (readonly [type: string, data: readonly number[]])[]
}

/** Returns a PNG byte by byte. All of its checksums are wrong. */
export function pngForm({
  width,
  height,
  color,
  depth,
  rows,
  isInterlaced,
  chunks = [],
}: PngForm): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, isInterlaced ? 1 : 0], 8)
  const stream = deflateSync(Buffer.from(rows.flat()))
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunkOf('IHDR', header),
      ...chunks.map(([type, data]) => chunkOf(type, Buffer.from(data))),
      // The rows are in two chunks, the first of which ends within the header of the stream.
      chunkOf('IDAT', stream.subarray(0, 1)),
      chunkOf('IDAT', stream.subarray(1)),
      chunkOf('IEND', Buffer.alloc(0)),
    ]),
  )
}

function chunkOf(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.from([1, 2, 3, 4])])
}
