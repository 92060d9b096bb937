import type { JpegFrame, JpegTables } from './jpeg-frame.ts'

/** One row of a component: pixel `x` of the picture is at `from + (x × scale)`, rounded down. */
export interface PlaneRow {
  readonly plane: Uint8ClampedArray
  readonly from: number
  readonly scale: number
}

/** Writes `count` pixels of a row. */
export type WriteColors = (rows: readonly PlaneRow[], count: number, rgba: Uint8ClampedArray) => void

/** How the components of a picture make colours. */
export function colorsOf({ components }: JpegFrame, { adobeTransform }: JpegTables): WriteColors {
  if (components.length === 1) return writeGrays
  if (components.length === 4) return (...row) => writePrintColors(adobeTransform, ...row)
  const isNamedRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  const isRgb = adobeTransform === 0 || (adobeTransform === undefined && isNamedRgb)
  return isRgb ? writeRgb : writeBrightnessAndColor
}

const writeGrays: WriteColors = ([gray], count, rgba) => {
  const { plane, from, scale } = gray!
  for (let x = 0; x < count; x += 1) {
    const value = plane[from + Math.floor(x * scale)]!
    const to = x * 4
    rgba[to] = value
    rgba[to + 1] = value
    rgba[to + 2] = value
    rgba[to + 3] = 255
  }
}

const writeRgb: WriteColors = (rows, count, rgba) => {
  rows.slice(0, 3).forEach(({ plane, from, scale }, channel) => {
    for (let x = 0; x < count; x += 1) rgba[x * 4 + channel] = plane[from + Math.floor(x * scale)]!
  })
  for (let x = 0; x < count; x += 1) rgba[x * 4 + 3] = 255
}

const writeBrightnessAndColor: WriteColors = ([brightness, blueness, redness], count, rgba) => {
  const [y, cb, cr] = [brightness!, blueness!, redness!]
  for (let x = 0; x < count; x += 1) {
    const light = y.plane[y.from + Math.floor(x * y.scale)]!
    const blue = cb.plane[cb.from + Math.floor(x * cb.scale)]! - 128
    const red = cr.plane[cr.from + Math.floor(x * cr.scale)]! - 128
    const to = x * 4
    rgba[to] = light + 1.402 * red
    rgba[to + 1] = light - 0.344136 * blue - 0.714136 * red
    rgba[to + 2] = light + 1.772 * blue
    rgba[to + 3] = 255
  }
}

/**
 * Inks and black. Adobe writes how much light each of them leaves, others how much it takes; where inks are
 * written as brightness and colour, these are of what the inks take.
 */
function writePrintColors(
  adobeTransform: number | undefined,
  rows: readonly PlaneRow[],
  count: number,
  rgba: Uint8ClampedArray,
): void {
  const isMixed = adobeTransform === 2
  if (isMixed) writeBrightnessAndColor(rows, count, rgba)
  else writeRgb(rows, count, rgba)
  const { plane, from, scale } = rows[3]!
  const isLight = adobeTransform !== undefined
  for (let x = 0; x < count; x += 1) {
    const black = plane[from + Math.floor(x * scale)]!
    const light = (isLight ? black : 255 - black) / 255
    for (let to = x * 4; to < x * 4 + 3; to += 1) {
      rgba[to] = (isLight && !isMixed ? rgba[to]! : 255 - rgba[to]!) * light
    }
  }
}
