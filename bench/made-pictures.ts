/** Makes pictures for measurements: large when decoded, or large as files. */
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, in grey. Source: PNG, third edition. */
export function flatPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of grey, and nothing interlaced.
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  const parts = [pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([signature, ...parts]))
}

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A JPEG of noise. Bits of 0 end a block, 10 and four more are a value, and decoders read others as an end. Source: ITU-T T.81. */
export function noisyJpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const codes = (id: number) => Buffer.from([id, 1, 1, ...new Array(14).fill(0), 0, 4])
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  // Half of the bits of a block would be enough. A first bit of 0 in each byte prevents markers.
  const bits = Buffer.from(Array.from({ length: blocks * 4 }, (_, at) => (at * 2_654_435_761) >>> 25))
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      jpegSegment(0xdb, Buffer.from([0, ...new Array(64).fill(4)])),
      jpegSegment(0xc0, frame),
      jpegSegment(0xc4, codes(0x00)),
      jpegSegment(0xc4, codes(0x10)),
      jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
      bits,
      Buffer.from([0xff, 0xd9]),
    ]),
  )
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A GIF of gray noise. Its codes are bytes: 0x80 forgets the codes before longer ones would follow. Source: GIF89a. */
export function noisyGif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const colors = Array.from({ length: 128 * 3 }, (_, at) => 2 * Math.floor(at / 3))
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const ofBlock = 120
  const block = Buffer.from([
    ofBlock + 1,
    0x80,
    ...Array.from({ length: ofBlock }, (_, at) => (at * 37) & 0x7f),
  ])
  const blocks = Array.from({ length: Math.ceil((width * height) / ofBlock) }, () => block)
  const frame = [0x2c, 0, 0, 0, 0, ...size, 0, 7]
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('GIF89a', 'latin1'),
      size,
      Buffer.from([0x86, 0, 0, ...colors, ...frame]),
      ...blocks,
      Buffer.from([1, 0x81, 0, 0x3b]),
    ]),
  )
}
