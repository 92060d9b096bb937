import type { ImageBounds } from '../core/images.ts'
import { nextTurn } from '../core/next-turn.ts'
import { decodeGif } from './decode-gif.ts'
import { decodeJpeg } from './decode-jpeg.ts'
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
import { type ImageFacts, type ImageType, readImageFacts } from './read-image-facts.ts'
import { Resampling, type Window } from './resample.ts'
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
 * format. It takes a few seconds at worst, and up to 80 MB beside `bytes`: 60 for a JPEG of twelve
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

/** Limit of pixels that are worked on in one turn: some 10 ms. */
const PIXELS_IN_A_TURN = 500_000

/**
 * Draws a picture. A large PNG is decoded a few rows at a time, any other in one go; other requests are served in between. The caller sees
 * to it that only one picture is drawn at a time.
 */
async function drawPicture(
  bytes: Uint8Array,
  plan: (whole: StoredSize, facts: ImageFacts) => Plan,
): Promise<Pixels | undefined> {
  const facts = readImageFacts(bytes)
  if (!facts) return undefined
  try {
    const large = facts.type === 'png' ? largePng(bytes, facts) : undefined
    const whole = large ?? wholeInRows(await DECODERS[facts.type](bytes, facts))
    const { window, size } = plan({ width: whole.width, height: whole.height }, facts)
    return turnUpright(await drawRows(whole, window, size), facts.orientation)
  } catch (error) {
    if (error instanceof BrokenImageError) return undefined
    throw error
  }
}

async function drawRows(picture: PictureInRows, window: Window, size: StoredSize): Promise<Pixels> {
  const drawn = new Resampling(window, size)
  const rowsInATurn = Math.ceil(PIXELS_IN_A_TURN / picture.width)
  let y = 0
  let done = 0
  for await (const row of picture.rows()) {
    if (row) drawn.add(y, row.data, row.start)
    if (row) y += 1
    done += 1
    if (done % rowsInATurn === 0) await nextTurn()
  }
  return drawn.pixels
}

function wholeInRows({ width, height, data, release }: Decoded): PictureInRows {
  return {
    width,
    height,
    async *rows() {
      for (let y = 0; y < height; y += 1) yield { data, start: y * width * 4 }
      release?.()
    },
  }
}
