import type { ImageBounds } from '../core/images.ts'
import { decodeGif } from './decode-gif.ts'
import { decodeJpeg } from './decode-jpeg.ts'
import { BrokenImageError, type Decode, type Pixels, type StoredSize } from './picture.ts'
import { decodePng, encodePng } from './png-codec.ts'
import { type ImageFacts, type ImageType, readImageFacts } from './read-image-facts.ts'
import { resample, type Window } from './resample.ts'
import { turnUpright } from './turn-pixels.ts'
import { decodeWebp, encodeWebp } from './webp-codec.ts'

const DECODERS: Record<ImageType, Decode> = {
  png: decodePng,
  jpeg: decodeJpeg,
  gif: decodeGif,
  webp: decodeWebp,
}

/** The visible part of a picture, and its size, before it is turned. */
interface Plan {
  readonly window: Window
  readonly size: StoredSize
}

/**
 * Returns the picture as it is displayed, fitted into the bounds, never enlarged, with its transparency. Of
 * an animation, the first frame. Undefined when it cannot be decoded: broken, too large, or of an unknown
 * format. It takes a few seconds at worst, and up to 80 MB beside `bytes`: 60 for a photo of twelve
 * megapixels.
 */
export async function fitInside(bytes: Uint8Array, bounds: ImageBounds): Promise<Uint8Array | undefined> {
  const pixels = await drawPicture(bytes, (whole, { orientation }) => {
    const [maxWidth, maxHeight] =
      orientation >= 5 ? [bounds.maxHeight, bounds.maxWidth] : [bounds.maxWidth, bounds.maxHeight]
    const scale = Math.min(1, maxWidth / whole.width, maxHeight / whole.height)
    const size = {
      width: Math.max(1, Math.round(whole.width * scale)),
      height: Math.max(1, Math.round(whole.height * scale)),
    }
    return { window: { left: 0, top: 0, ...whole }, size }
  })
  return pixels && (bounds.format === 'png' ? encodePng(pixels) : encodeWebp(pixels))
}

/**
 * Returns the middle of the picture as a square PNG of `size` pixels, enlarged where it is smaller. Undefined
 * as for `fitInside`.
 */
export async function cropSquare(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  const pixels = await drawPicture(bytes, (whole) => {
    const edge = Math.min(whole.width, whole.height)
    const window = {
      left: Math.floor((whole.width - edge) / 2),
      top: Math.floor((whole.height - edge) / 2),
      width: edge,
      height: edge,
    }
    return { window, size: { width: size, height: size } }
  })
  return pixels && encodePng(pixels)
}

/** Draws a picture. It waits for nothing outside, so only one picture is decoded at a time. */
async function drawPicture(
  bytes: Uint8Array,
  plan: (whole: StoredSize, facts: ImageFacts) => Plan,
): Promise<Pixels | undefined> {
  const facts = readImageFacts(bytes)
  if (!facts) return undefined
  try {
    const decoded = DECODERS[facts.type](bytes, facts)
    const whole = decoded instanceof Promise ? await decoded : decoded
    const { window, size } = plan({ width: whole.width, height: whole.height }, facts)
    const drawn = resample(whole, window, size)
    whole.release?.()
    return turnUpright(drawn, facts.orientation)
  } catch (error) {
    if (error instanceof BrokenImageError) return undefined
    throw error
  }
}
