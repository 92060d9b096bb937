/** How the pixels of a PNG are written. */
export interface PngFormat {
  /** 0 gray, 2 red green blue, 3 by number, 4 gray and alpha, 6 red green blue and alpha. */
  readonly color: 0 | 2 | 3 | 4 | 6
  /** Bits of a value. */
  readonly depth: number
  readonly channels: number
  /** Three bytes for each number. */
  readonly palette?: Uint8Array
  /** Alpha for each number; else the one colour that is not seen, two bytes a value. */
  readonly transparency?: Uint8Array
}

/** The first `count` pixels of a row, behind the byte that says how it is filtered, eight bits a value. */
export function expandPngRow(
  format: PngFormat,
  row: Uint8Array,
  count: number,
  rgba: Uint8ClampedArray,
): void {
  if (format.color === 3) expandNumbers(format, row, count, rgba)
  else if (format.color === 0 && format.depth < 8) expandFewGrays(format, row, count, rgba)
  else expandValues(format, row, count, rgba)
}

function expandNumbers(format: PngFormat, row: Uint8Array, count: number, rgba: Uint8ClampedArray): void {
  const { palette = new Uint8Array(0), transparency } = format
  for (let index = 0; index < count; index += 1) {
    const number = valueAt(row, index, format.depth)
    const to = index * 4
    rgba[to] = palette[number * 3] ?? 0
    rgba[to + 1] = palette[number * 3 + 1] ?? 0
    rgba[to + 2] = palette[number * 3 + 2] ?? 0
    rgba[to + 3] = transparency?.[number] ?? 255
  }
}

function expandFewGrays(format: PngFormat, row: Uint8Array, count: number, rgba: Uint8ClampedArray): void {
  const unseen = format.transparency?.[1]
  const brightest = 2 ** format.depth - 1
  for (let index = 0; index < count; index += 1) {
    const value = valueAt(row, index, format.depth)
    const to = index * 4
    rgba.fill((value * 255) / brightest, to, to + 3)
    rgba[to + 3] = value === unseen ? 0 : 255
  }
}

function expandValues(format: PngFormat, row: Uint8Array, count: number, rgba: Uint8ClampedArray): void {
  const { color, channels, transparency } = format
  const isGray = color === 0 || color === 4
  const hasAlpha = color === 4 || color === 6
  // Of sixteen bits the upper eight are enough.
  const valueBytes = format.depth >> 3
  const [green, blue] = isGray ? [0, 0] : [valueBytes, 2 * valueBytes]
  const alpha = (channels - 1) * valueBytes
  for (let index = 0; index < count; index += 1) {
    const from = 1 + index * channels * valueBytes
    const to = index * 4
    rgba[to] = row[from]!
    rgba[to + 1] = row[from + green!]!
    rgba[to + 2] = row[from + blue!]!
    rgba[to + 3] = hasAlpha ? row[from + alpha]! : 255
    if (!hasAlpha && transparency && isUnseen(row, from, valueBytes, channels, transparency)) rgba[to + 3] = 0
  }
}

function isUnseen(
  row: Uint8Array,
  from: number,
  valueBytes: number,
  channels: number,
  unseen: Uint8Array,
): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    const at = from + channel * valueBytes
    const value = valueBytes === 1 ? row[at]! : (row[at]! << 8) | row[at + 1]!
    if (value !== (((unseen[channel * 2] ?? 0) << 8) | (unseen[channel * 2 + 1] ?? 0))) return false
  }
  return true
}

/** A value of one, two, four or eight bits. */
function valueAt(row: Uint8Array, index: number, depth: number): number {
  const bit = index * depth
  return (row[1 + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}
