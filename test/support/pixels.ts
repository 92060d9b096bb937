import { Buffer } from 'node:buffer'
import { decodePng, type Pixels } from './inside-pictures.ts'

/** Decodes a whole PNG. */
export function pixelsOf(png: Uint8Array): Pixels {
  const header = Buffer.from(png)
  return decodePng(png, { width: header.readUInt32BE(16), height: header.readUInt32BE(20) })
}

const NAMES = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255], white: [255, 255, 255] }

/** Returns the names of the colours in the four corners, from top left to bottom right; `?` for others. */
export function cornersOf(png: Uint8Array): string {
  const { width, height, data } = pixelsOf(png)
  const nameAt = (x: number, y: number) => {
    const at = (y * width + x) * 4
    const isNear = (color: readonly number[]) =>
      color.every((value, channel) => Math.abs(value - data[at + channel]!) < 64)
    return Object.entries(NAMES).find(([, color]) => isNear(color))?.[0] ?? '?'
  }
  const [right, bottom] = [width - 1, height - 1]
  return [nameAt(0, 0), nameAt(right, 0), nameAt(0, bottom), nameAt(right, bottom)].join(' ')
}
