import { BrokenImageError, type StoredSize } from './picture.ts'
import { pngChunks } from './png-header.ts'
import { uint16, uint32 } from './read-bytes.ts'

/** The format of a PNG's pixels. */
export interface PngForm extends StoredSize {
  /** Bits of one value of a pixel, such as red. */
  readonly depth: number
  /** The PNG's colour type. */
  readonly color: number
  readonly isInterlaced: boolean
  /** Bytes from a value to the same value of the next pixel; at least one. */
  readonly pixelBytes: number
  /** The colours by number, four bytes each: red, green, blue and alpha. */
  readonly palette: Uint8Array | undefined
  /** The values of the one colour that is transparent. */
  readonly transparent: readonly number[] | undefined
  /** Returns the number of bytes of a row of `width` pixels, without its filter. */
  rowBytes(width: number): number
}

const [GRAY, RGB, BY_NUMBER, GRAY_ALPHA, RGB_ALPHA] = [0, 2, 3, 4, 6]
/** The number of values of a pixel and the allowed depths, by colour type. Source: PNG, third edition. */
const COLORS: Readonly<Record<number, { readonly values: number; readonly depths: readonly number[] }>> = {
  [GRAY]: { values: 1, depths: [1, 2, 4, 8, 16] },
  [RGB]: { values: 3, depths: [8, 16] },
  [BY_NUMBER]: { values: 1, depths: [1, 2, 4, 8] },
  [GRAY_ALPHA]: { values: 2, depths: [8, 16] },
  [RGB_ALPHA]: { values: 4, depths: [8, 16] },
}

/** @throws BrokenImageError */
export function pngFormOf(bytes: Uint8Array): PngForm {
  const [depth, color, , , interlace] = bytes.subarray(24, 29)
  const form = COLORS[color!]
  if (!form?.depths.includes(depth!) || interlace! > 1) throw new BrokenImageError('No such form of PNG')
  const bits = form.values * depth!
  let palette: Uint8Array | undefined
  let transparent: number[] | undefined
  for (const { type, start, end } of pngChunks(bytes)) {
    if (type === 'IDAT') break
    const data = bytes.subarray(start, end)
    if (type === 'PLTE' && color === BY_NUMBER) palette = paletteOf(data)
    if (type === 'tRNS') {
      if (palette)
        for (const [number, alpha] of data.subarray(0, 256).entries()) palette[number * 4 + 3] = alpha
      else transparent = Array.from({ length: form.values }, (_, value) => uint16(data, value * 2))
    }
  }
  if (color === BY_NUMBER && !palette) throw new BrokenImageError('There are no colours')
  return {
    width: uint32(bytes, 16),
    height: uint32(bytes, 20),
    depth: depth!,
    color: color!,
    isInterlaced: interlace === 1,
    pixelBytes: Math.max(1, bits >> 3),
    palette,
    transparent: color === GRAY || color === RGB ? transparent : undefined,
    rowBytes: (width) => Math.ceil((width * bits) / 8),
  }
}

/** Returns a palette of 256 colours; numbers that the file does not define are black. */
function paletteOf(data: Uint8Array): Uint8Array {
  const palette = new Uint8Array(256 * 4)
  for (let number = 0; number < 256; number += 1) {
    palette.set(data.subarray(number * 3, number * 3 + 3), number * 4)
    palette[number * 4 + 3] = 255
  }
  return palette
}

/** Writes the pixels of a row as red, green, blue and alpha. */
type Expand = (row: Uint8Array, width: number, pixels: Uint8Array) => void

/** Returns the function that expands rows of this format. Of values of sixteen bits it takes the upper eight. */
export function expanderOf({ color, depth, palette, transparent }: PngForm): Expand {
  const step = depth >> 3
  if (palette) {
    return (row, width, pixels) => {
      for (let x = 0; x < width; x += 1) {
        const from = 4 * valueAt(row, x, depth)
        for (let value = 0; value < 4; value += 1) pixels[4 * x + value] = palette[from + value]!
      }
    }
  }
  if (depth < 8) {
    const scale = 255 / (2 ** depth - 1)
    return (row, width, pixels) => {
      for (let x = 0; x < width; x += 1) {
        const value = valueAt(row, x, depth)
        pixels.fill(value * scale, 4 * x, 4 * x + 3)
        pixels[4 * x + 3] = value === transparent?.[0] ? 0 : 255
      }
    }
  }
  const values = COLORS[color]!.values
  // Offsets of green, blue and alpha from red.
  const [green, blue] = values < 3 ? [0, 0] : [step, 2 * step]
  const alpha = values % 2 === 0 ? (values - 1) * step : undefined
  return (row, width, pixels) => {
    for (let x = 0, from = 0, to = 0; x < width; x += 1, from += values * step, to += 4) {
      pixels[to] = row[from]!
      pixels[to + 1] = row[from + green]!
      pixels[to + 2] = row[from + blue]!
      if (alpha !== undefined) pixels[to + 3] = row[from + alpha]!
      else pixels[to + 3] = transparent && isTransparent(row, from, transparent, step) ? 0 : 255
    }
  }
}

/** Returns the value of a pixel, of at most eight bits; the first pixel of a byte has its upper bits. */
function valueAt(row: Uint8Array, x: number, depth: number): number {
  if (depth === 8) return row[x]!
  const bit = x * depth
  return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}

function isTransparent(row: Uint8Array, from: number, transparent: readonly number[], step: number): boolean {
  return transparent.every((value, index) => {
    const at = from + index * step
    return (step === 2 ? uint16(row, at) : row[at]!) === value
  })
}
