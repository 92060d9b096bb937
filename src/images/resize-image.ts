import type { ImageBounds } from '../core/images.ts'
import { gifInRows } from './decode-gif.ts'
import { jpegInRows } from './decode-jpeg.ts'
import {
  BrokenImageError,
  type Decode,
  type Decoded,
  type PictureInRows,
  type Pixels,
  type StoredSize,
} from './picture.ts'
import { decodePng, encodePng } from './png-codec.ts'
import { largePng } from './png-in-rows.ts'
import { type ImageFacts, readImageFacts } from './read-image-facts.ts'
import { Resampling, type Window } from './resample.ts'
import { turnUpright } from './turn-pixels.ts'
import { Turns } from './turns.ts'
import { decodeWebp, encodeWebp } from './webp-codec.ts'

/** Decoders of pictures that are in memory as a whole. */
const DECODERS: Record<'png' | 'webp', Decode> = {
  png: decodePng,
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
 * format. It takes a few seconds at worst, most of them in short turns, and up to DECODED_PICTURE bytes beside `bytes`.
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

/**
 * Draws a picture a few rows at a time, so that other requests are served in between. Only a small PNG is decoded in one go. The caller
 * sees to it that only one picture is drawn at a time.
 */
async function drawPicture(
  bytes: Uint8Array,
  plan: (whole: StoredSize, facts: ImageFacts) => Plan,
): Promise<Pixels | undefined> {
  const facts = readImageFacts(bytes)
  if (!facts) return undefined
  try {
    const picture = await openPicture(bytes, facts, scaleOf(plan(storedSizeOf(facts), facts)))
    const { window, size } = plan({ width: picture.width, height: picture.height }, facts)
    return turnUpright(await drawRows(picture, window, size), facts.orientation)
  } catch (error) {
    if (error instanceof BrokenImageError) return undefined
    throw error
  }
}

/** @param scale of its size, in which the picture is needed at least; a decoder may return a larger one. */
async function openPicture(bytes: Uint8Array, facts: ImageFacts, scale: number): Promise<PictureInRows> {
  if (facts.type === 'jpeg') return jpegInRows(bytes, scale)
  if (facts.type === 'gif') return gifInRows(bytes, facts)
  const large = facts.type === 'png' ? largePng(bytes, facts) : undefined
  return large ?? wholeInRows(await DECODERS[facts.type](bytes, facts))
}

function scaleOf({ window, size }: Plan): number {
  return Math.max(size.width / window.width, size.height / window.height)
}

function storedSizeOf({ width, height, orientation }: ImageFacts): StoredSize {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

async function drawRows(picture: PictureInRows, window: Window, size: StoredSize): Promise<Pixels> {
  const drawn = new Resampling(window, size)
  let y = 0
  for await (const { data, start } of picture.rows(new Turns())) {
    drawn.add(y, data, start)
    y += 1
  }
  return drawn.pixels
}

function wholeInRows({ width, height, data, release }: Decoded): PictureInRows {
  return {
    width,
    height,
    async *rows(turns) {
      for (let y = 0; y < height; y += 1) {
        yield { data, start: y * width * 4 }
        await turns.after(width)
      }
      release?.()
    },
  }
}
