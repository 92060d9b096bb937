import { Buffer } from 'node:buffer'

interface DcJpeg {
  readonly width: number
  readonly height: number
  /** The brightness of each block of each component, row by row, 8 bits each. */
  readonly components: readonly (readonly number[])[]
  /** Blocks between two restart markers. */
  readonly restartInterval?: number
}

/**
 * A JPEG of blocks of one colour each, written here. Its components come one after the other, which libjpeg never writes
 * for baseline pictures.
 */
export function dcJpeg({ width, height, components, restartInterval = 0 }: DcJpeg): Uint8Array {
  const frame = Buffer.from([8, 0, 0, 0, 0, components.length])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const parts = components.flatMap((_, index) => [index + 1, 0x11, 0])
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xdb, Buffer.from([0, ...new Array(64).fill(8)])),
      segment(0xc0, Buffer.concat([frame, Buffer.from(parts)])),
      // The code for differences of 0 to 11 bits has four bits each; the only code for other values ends a block.
      segment(0xc4, Buffer.from([0x00, 0, 0, 0, 12, ...new Array(12).fill(0), ...new Array(12).keys()])),
      segment(0xc4, Buffer.from([0x10, 1, ...new Array(15).fill(0), 0])),
      segment(0xdd, Buffer.from([restartInterval >> 8, restartInterval & 255])),
      ...components.flatMap((blocks, index) => [
        segment(0xda, Buffer.from([1, index + 1, 0, 0, 63, 0])),
        scanOf(blocks, restartInterval),
      ]),
      Buffer.from([0xff, 0xd9]),
    ]),
  )
}

function scanOf(blocks: readonly number[], restartInterval: number): Buffer {
  const scans: Buffer[] = []
  const length = restartInterval || blocks.length
  for (let start = 0; start < blocks.length; start += length) {
    if (start > 0) scans.push(Buffer.from([0xff, 0xd0 + ((start / length - 1) % 8)]))
    scans.push(scanPartOf(blocks.slice(start, start + length)))
  }
  return Buffer.concat(scans)
}

function scanPartOf(blocks: readonly number[]): Buffer {
  let bits = ''
  let before = 0
  for (const brightness of blocks) {
    // The first value of a block is eight times its mean; the table of quantization divides it by eight again.
    const value = brightness - 128
    const difference = value - before
    before = value
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1
    const written = difference < 0 ? difference + 2 ** size - 1 : difference
    bits += size.toString(2).padStart(4, '0')
    if (size > 0) bits += written.toString(2).padStart(size, '0')
    bits += '0'
  }
  const bytes = bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
