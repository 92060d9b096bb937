import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'
import type { TestFile } from './uploads.ts'

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const TRUE_COLOR_WITH_ALPHA = 6

/** Returns a PNG of this size, in half transparent red. */
export function pngOf(width: number, height: number, name = 'picture.png'): TestFile {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, TRUE_COLOR_WITH_ALPHA], 8)
  const line = Buffer.alloc(1 + 4 * width, Buffer.from([255, 0, 0, 128]))
  // Each row begins with the number of its filter.
  line.copyWithin(1, 0)
  line[0] = 0
  const lines = Buffer.concat(Array.from({ length: height }, () => line))
  const content = Buffer.concat([
    Buffer.from(PNG_SIGNATURE),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { name, type: 'image/png', content: new Uint8Array(content) }
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(typed, 4)
  chunk.writeUInt32BE(crc32(typed), data.length + 8)
  return chunk
}

/** Returns only the header of a JPEG of this stored size, with an orientation of a quarter turn. */
export function lyingJpegHead(width: number, height: number, name = 'photo.jpg'): TestFile {
  const exif = Buffer.from(
    'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
    'latin1',
  )
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const content = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe1, exif),
    jpegSegment(0xc0, frame),
  ])
  return { name, type: 'image/jpeg', content: new Uint8Array(content) }
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const segment = Buffer.alloc(data.length + 4)
  segment.set([0xff, marker], 0)
  segment.writeUInt16BE(data.length + 2, 2)
  segment.set(data, 4)
  return segment
}
