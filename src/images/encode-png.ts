import { zlibSync } from 'fflate'
import type { Pixels } from './picture-rows.ts'
import { nearestOf } from './png-filters.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const RGB = 2
const RGBA = 6

/** A PNG, without alpha if all of it is opaque. */
export function encodePng(pixels: Pixels): Uint8Array {
  const channels = isOpaque(pixels) ? 3 : 4
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, pixels.width)
  view.setUint32(4, pixels.height)
  header[8] = 8
  header[9] = channels === 3 ? RGB : RGBA
  return joined([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(filterRows(pixels, channels))),
    chunk('IEND', new Uint8Array(0)),
  ])
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

/** The rows as differences, each behind the number of its filter: the one whose differences are smallest. */
function filterRows({ width, height, data }: Pixels, channels: number): Uint8Array {
  const rowBytes = width * channels
  const filtered = new Uint8Array((rowBytes + 1) * height)
  const tries = Array.from({ length: 5 }, (_, filter) => new Uint8Array(rowBytes + 1).fill(filter, 0, 1))
  let row = new Uint8Array(rowBytes)
  let above = new Uint8Array(rowBytes)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4
      for (let channel = 0; channel < channels; channel += 1)
        row[x * channels + channel] = data[from + channel]!
    }
    filtered.set(smallestOf(tries, row, above, channels), y * (rowBytes + 1))
    ;[row, above] = [above, row]
  }
  return filtered
}

function smallestOf(
  tries: readonly Uint8Array[],
  row: Uint8Array,
  above: Uint8Array,
  pixelBytes: number,
): Uint8Array {
  const [plain, toLeft, toAbove, toMean, toNearest] = tries
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at]!
    const left = at >= pixelBytes ? row[at - pixelBytes]! : 0
    const corner = at >= pixelBytes ? above[at - pixelBytes]! : 0
    const up = above[at]!
    plain![at + 1] = value
    toLeft![at + 1] = value - left
    toAbove![at + 1] = value - up
    toMean![at + 1] = value - ((left + up) >> 1)
    toNearest![at + 1] = value - nearestOf(left, up, corner)
  }
  const costs = tries.map(costOf)
  return tries[costs.indexOf(Math.min(...costs))]!
}

/** How far the differences are from zero, all together. */
function costOf(differences: Uint8Array): number {
  let sum = 0
  for (let at = 1; at < differences.length; at += 1) {
    const difference = differences[at]!
    sum += difference < 128 ? difference : 256 - difference
  }
  return sum
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  for (let index = 0; index < 4; index += 1) bytes[4 + index] = type.charCodeAt(index)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)))
  return bytes
}

/** CRC-32. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ CHECKSUMS[(sum ^ byte) & 0xff]!
  return ~sum >>> 0
}

const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
