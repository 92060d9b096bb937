import { fairScheduler } from '../core/fair-scheduler.ts'
import type { ImageBounds } from '../core/images.ts'
import { withoutExif } from './jpeg-header.ts'
import { decodeJpeg, decodeWebp, encodeWebp } from './jpeg-webp-codecs.ts'
import { decodeGif } from './lzw-codes.ts'
import {
  BrokenImageError,
  type Decode,
  type Decoded,
  NotHereError,
  type Pixels,
  requireSmallEnough,
  type StoredSize,
} from './picture.ts'
import { decodePng, encodePng } from './png-codec.ts'
import { type ImageFacts, type ImageType, readImageFacts } from './read-image-facts.ts'

/**
 * Resizes a picture that cannot be decoded here: to exactly this size, as a PNG, without rotation. Undefined if it cannot be decoded
 * there either.
 */
export type Shrink = (bytes: Uint8Array, size: StoredSize) => Promise<Uint8Array | undefined>

const DECODERS: Record<ImageType, Decode> = {
  png: decodePng,
  jpeg: decodeJpeg,
  gif: decodeGif,
  webp: decodeWebp,
}

/** Rough maximum of the milliseconds for decoding a picture, if nothing else runs. */
const DECODING_MS = 100

/** The visible part of a picture, and its size, before rotation. */
interface Plan {
  readonly window: Window
  readonly size: StoredSize
}

type MakePlan = (whole: StoredSize, facts: ImageFacts) => Plan

/**
 * Returns the picture as displayed, fitted into the bounds, never enlarged, with its transparency. Of an animation, the first frame.
 * Undefined if it cannot be decoded: broken, too large, or in an unknown format. It takes up to ISOLATE.picture bytes besides `bytes`.
 * @throws the errors of `shrink`; without it, a picture too large for the decoders here cannot be decoded
 */
export async function fitInside(
  bytes: Uint8Array,
  bounds: ImageBounds,
  shrink?: Shrink,
): Promise<Uint8Array | undefined> {
  const makePlan: MakePlan = (whole, { orientation }) => {
    const [maxWidth, maxHeight] =
      orientation >= 5 ? [bounds.maxHeight, bounds.maxWidth] : [bounds.maxWidth, bounds.maxHeight]
    const scale = Math.min(1, maxWidth / whole.width, maxHeight / whole.height)
    return { window: { left: 0, top: 0, ...whole }, size: scaled(whole, scale) }
  }
  const pixels = await drawPicture(bytes, makePlan, shrink)
  return pixels && (bounds.format === 'png' ? encodePng(pixels) : encodeWebp(pixels))
}

/** Returns the central square of the picture as a PNG of `size` pixels, enlarged if smaller. Undefined as for `fitInside`. */
export async function cropSquare(
  bytes: Uint8Array,
  size: number,
  shrink?: Shrink,
): Promise<Uint8Array | undefined> {
  const makePlan: MakePlan = (whole) => {
    const edge = Math.min(whole.width, whole.height)
    const window = {
      left: Math.floor((whole.width - edge) / 2),
      top: Math.floor((whole.height - edge) / 2),
      width: edge,
      height: edge,
    }
    return { window, size: { width: size, height: size } }
  }
  const pixels = await drawPicture(bytes, makePlan, shrink)
  return pixels && encodePng(pixels)
}

/**
 * Draws a picture in three steps of long work, of which the caller does the last, encoding. The caller ensures that only one picture is
 * drawn at a time.
 */
async function drawPicture(
  bytes: Uint8Array,
  makePlan: MakePlan,
  shrink: Shrink | undefined,
): Promise<Pixels | undefined> {
  const facts = readImageFacts(bytes)
  if (!facts) return undefined
  try {
    const picture = await openPicture(bytes, facts, makePlan, shrink)
    await fairScheduler.nextSlice()
    const { window, size } = makePlan({ width: picture.width, height: picture.height }, facts)
    const drawn = turnUpright(resample(picture, window, size), facts.orientation)
    picture.release?.()
    await fairScheduler.nextSlice()
    return drawn
  } catch (error) {
    if (error instanceof BrokenImageError) return undefined
    throw error
  }
}

async function openPicture(
  bytes: Uint8Array,
  facts: ImageFacts,
  makePlan: MakePlan,
  shrink: Shrink | undefined,
): Promise<Decoded> {
  const whole = storedSizeOf(facts)
  try {
    return await decode(bytes, facts.type, { ...whole, isAnimated: facts.isAnimated })
  } catch (error) {
    if (!shrink || !(error instanceof NotHereError)) throw error
  }
  const { window, size } = makePlan(whole, facts)
  const scale = Math.max(size.width / window.width, size.height / window.height)
  const smaller = scaled(whole, scale)
  requireSmallEnough(smaller)
  const png = await shrink(facts.type === 'jpeg' ? withoutExif(bytes) : bytes, smaller)
  const shrunk = png && readImageFacts(png)
  if (shrunk?.type !== 'png') throw new BrokenImageError('The picture cannot be made smaller')
  return decode(png!, shrunk.type, shrunk)
}

async function decode(bytes: Uint8Array, type: ImageType, facts: Parameters<Decode>[1]): Promise<Decoded> {
  await fairScheduler.nextSlice({ ms: DECODING_MS })
  return DECODERS[type](bytes, facts)
}

function storedSizeOf({ width, height, orientation }: ImageFacts): StoredSize {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function scaled({ width, height }: StoredSize, scale: number): StoredSize {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Returns the picture rotated and mirrored by its EXIF orientation. */
function turnUpright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels
  const { width, height, data } = pixels
  const lies = orientation >= 5
  const [newWidth, newHeight] = lies ? [height, width] : [width, height]
  // Stored position, before mirroring, of the pixel shown at (x, y).
  const isMirroredX = [2, 3, 7, 8].includes(orientation)
  const isMirroredY = [3, 4, 6, 7].includes(orientation)
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [column, row] = lies ? [y, x] : [x, y]
      const storedX = isMirroredX ? width - 1 - column : column
      const storedY = isMirroredY ? height - 1 - row : row
      to[y * newWidth + x] = from[storedY * width + storedX]!
    }
  }
  return { width: newWidth, height: newHeight, data: new Uint8ClampedArray(to.buffer) }
}

/** A part of a picture. */
interface Window extends StoredSize {
  readonly left: number
  readonly top: number
}

/** Sources of a column or row of the result: the first, and the weights of it and the following ones. */
interface Mixture {
  readonly first: number
  readonly shares: readonly number[]
}

/**
 * Returns a window of a picture, scaled. When shrinking, a pixel is the area-weighted mean of those it covers; when enlarging, a mixture
 * of neighbours. Colours are weighted by opacity. (`@jsquash/resize` would hold 68 MB for a picture of two megapixels.)
 */
function resample({ data, width }: Pixels, window: Window, size: StoredSize): Pixels {
  const columns = mixturesOf(window.left, window.width, size.width)
  const drawn = new Uint8ClampedArray(size.width * size.height * 4)
  /** For each pixel of a row: red, green and blue, each times alpha, and alpha. */
  const sums = new Float64Array(size.width * 4)
  for (const [row, { first, shares }] of mixturesOf(window.top, window.height, size.height).entries()) {
    sums.fill(0)
    for (const [index, share] of shares.entries()) {
      addRow(data, (first + index) * width * 4, columns, share, sums)
    }
    for (let x = 0, at = row * sums.length; x < sums.length; x += 4, at += 4) {
      const alpha = sums[x + 3]!
      if (alpha === 0) continue
      drawn[at] = sums[x]! / alpha
      drawn[at + 1] = sums[x + 1]! / alpha
      drawn[at + 2] = sums[x + 2]! / alpha
      drawn[at + 3] = alpha
    }
  }
  return { ...size, data: drawn }
}

function addRow(
  data: Uint8ClampedArray,
  start: number,
  columns: readonly Mixture[],
  rowShare: number,
  sums: Float64Array,
): void {
  for (let x = 0; x < columns.length; x += 1) {
    const { first, shares } = columns[x]!
    const to = x * 4
    let from = start + first * 4
    for (let index = 0; index < shares.length; index += 1, from += 4) {
      const seen = data[from + 3]! * shares[index]! * rowShare
      sums[to]! += data[from]! * seen
      sums[to + 1]! += data[from + 1]! * seen
      sums[to + 2]! += data[from + 2]! * seen
      sums[to + 3]! += seen
    }
  }
}

function mixturesOf(start: number, length: number, count: number): Mixture[] {
  const scale = length / count
  const mixtureOf = scale < 1 ? between : under
  return Array.from({ length: count }, (_, index) => {
    const { first, shares } = mixtureOf(index, scale, length)
    return { first: start + first, shares }
  })
}

function under(index: number, scale: number, length: number): Mixture {
  const [from, to] = [index * scale, (index + 1) * scale]
  const first = Math.floor(from)
  const count = Math.min(Math.ceil(to), length) - first
  const shares = Array.from({ length: count }, (_, offset) => {
    const position = first + offset
    return (Math.min(to, position + 1) - Math.max(from, position)) / scale
  })
  return { first, shares }
}

function between(index: number, scale: number, length: number): Mixture {
  const position = Math.min(Math.max((index + 0.5) * scale - 0.5, 0), length - 1)
  const first = Math.floor(position)
  return { first, shares: first === length - 1 ? [1] : [1 - position + first, position - first] }
}
