import { Buffer } from 'node:buffer'

export interface GifFrameForm {
  readonly left?: number
  readonly top?: number
  readonly width: number
  readonly height: number
  readonly isInterlaced?: boolean
  /** The number of the transparent colour. */
  readonly transparent?: number
  /**
   * Codes 0 to 3 are colours (black, red, green, blue), 4 clears the table of codes, 5 ends the picture. Every code but the
   * first after a 4 adds one to the table, from 6 on. They have three to twelve bits.
   */
  readonly codes: readonly number[]
}

/** Returns a GIF with exactly these codes. */
export function gifOf({
  width,
  height,
  frames,
}: {
  readonly width: number
  readonly height: number
  readonly frames: readonly GifFrameForm[]
}): Uint8Array {
  const head = Buffer.from('GIF89a\0\0\0\0\x81\0\0', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const colors = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
  return new Uint8Array([...head, ...colors, ...frames.flatMap(bytesOfFrame), 0x3b])
}

function bytesOfFrame({ left = 0, top = 0, width, height, isInterlaced, transparent, codes }: GifFrameForm) {
  const place = [left, top, width, height].flatMap((number) => [number & 255, number >> 8])
  const flags = transparent === undefined ? 0 : 1
  return [
    ...[0x21, 0xf9, 4, flags, 10, 0, transparent ?? 0, 0],
    ...[0x2c, ...place, isInterlaced ? 0x40 : 0, 2],
    ...inSubBlocks(packed(codes)),
  ]
}

function packed(codes: readonly number[]): number[] {
  const bits: number[] = []
  let size = 3
  let next = 6
  let isFirst = true
  for (const code of codes) {
    for (let bit = 0; bit < size; bit += 1) bits.push((code >> bit) & 1)
    if (code === 4) {
      ;[size, next, isFirst] = [3, 6, true]
      continue
    }
    if (!isFirst && next < 4_096) next += 1
    isFirst = false
    if (next === 2 ** size && size < 12) size += 1
  }
  const bytes: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit, index) => byte | (bit << index), 0))
  }
  return bytes
}

function inSubBlocks(bytes: readonly number[]): number[] {
  const blocks: number[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return [...blocks, 0]
}
