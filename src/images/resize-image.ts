import type { ImageBounds } from '../core/images.ts'
import { workGate } from '../core/work-gate.ts'
import { decodeGif } from './decode-gif.ts'
import { decodeJpeg } from './jpeg-codec.ts'
import { withoutExif } from './jpeg-header.ts'
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
import { resample, type Window } from './resample.ts'
import { turnUpright } from './turn-pixels.ts'
import { decodeWebp, encodeWebp } from './webp-codec.ts'

/**
 * Makes a picture that cannot be decoded here smaller: of exactly this size, as a PNG, not turned. Undefined when it cannot be decoded there
 * either.
 */
export type Shrink = (bytes: Uint8Array, size: StoredSize) => Promise<Uint8Array | undefined>

const DECODERS: Record<ImageType, Decode> = {
  png: decodePng,
  jpeg: decodeJpeg,
  gif: decodeGif,
  webp: decodeWebp,
}

/** Milliseconds that decoding a picture takes at most, roughly, as long as nothing else runs. */
const DECODING_MS = 100

/** The visible part of a picture, and its size, before it is turned. */
interface Plan {
  readonly window: Window
  readonly size: StoredSize
}

type MakePlan = (whole: StoredSize, facts: ImageFacts) => Plan

/**
 * Returns the picture as it is displayed, fitted into the bounds, never enlarged, with its transparency. Of
 * an animation, the first frame. Undefined when it cannot be decoded: broken, too large, or of an unknown
 * format. It takes up to ISOLATE.picture bytes beside `bytes`.
 *
 * @throws what `shrink` throws; without it, a picture that is too large for the decoders here cannot be decoded
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

/**
 * Returns the middle of the picture as a square PNG of `size` pixels, enlarged where it is smaller. Undefined
 * as for `fitInside`.
 */
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
 * Draws a picture in three pieces of long work, the last of which is its caller's: writing it. The caller sees to it that only one picture
 * is drawn at a time.
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
    await workGate.nextTurn()
    const { window, size } = makePlan({ width: picture.width, height: picture.height }, facts)
    const drawn = turnUpright(resample(picture, window, size), facts.orientation)
    picture.release?.()
    await workGate.nextTurn()
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
  await workGate.nextTurn({ ms: DECODING_MS })
  return DECODERS[type](bytes, facts)
}

function storedSizeOf({ width, height, orientation }: ImageFacts): StoredSize {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function scaled({ width, height }: StoredSize, scale: number): StoredSize {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
