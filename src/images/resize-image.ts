import type { ImageBounds } from '../core/images.ts'
import { decodeGif } from './decode-gif.ts'
import { decodeJpeg } from './decode-jpeg.ts'
import { decodePng } from './decode-png.ts'
import { encodePng } from './encode-png.ts'
import { enlarge } from './enlarge-pixels.ts'
import { BrokenImageError, type Decode, type Pixels, requireDecodable } from './picture-rows.ts'
import { type ImageFacts, readImageFacts } from './read-image-facts.ts'
import { ShrinkingCanvas, type Window } from './shrinking-canvas.ts'
import type { StoredSize } from './stored-size.ts'
import { turnUpright } from './turn-pixels.ts'
import { decodeWebp, encodeWebp } from './webp-codec.ts'
import { firstWebpFrame } from './webp-header.ts'

/** What is to be seen of a picture, and how large, before it is turned. */
interface Plan {
  readonly window: Window
  readonly size: StoredSize
}

/** WebP is in memory as a whole, twice: here, and in its decoder. */
const MOST_WEBP_PIXELS = 4_000_000

/**
 * The picture as it is shown, no larger than the bounds and never enlarged, with what is transparent. Of one
 * that moves the first frame. Undefined when it cannot be decoded: broken, too large, of an unheard-of form.
 * It takes a few seconds at worst, and up to 80 MB beside `bytes`: 30 for a photo of twelve megapixels.
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
 * The middle of the picture as a square of `size` pixels, enlarged where it is smaller: PNG. Undefined as for
 * `fitInside`.
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
    return { window, size: { width: Math.min(edge, size), height: Math.min(edge, size) } }
  })
  if (!pixels) return undefined
  return encodePng(pixels.width < size ? enlarge(pixels, { width: size, height: size }) : pixels)
}

/**
 * Decodes a picture as far as it is wanted. Nothing in it waits for anything outside, so no two pictures are
 * being decoded at a time.
 */
async function drawPicture(
  bytes: Uint8Array,
  plan: (whole: StoredSize, facts: ImageFacts) => Plan,
): Promise<Pixels | undefined> {
  const facts = readImageFacts(bytes)
  if (!facts) return undefined
  try {
    requireDecodable(facts)
    const decode = facts.type === 'webp' ? await webpDecoder(bytes, facts) : DECODERS[facts.type]
    let canvas: ShrinkingCanvas | undefined
    decode(bytes, wantedSize(facts, plan), (whole) => {
      const { window, size } = plan(whole, facts)
      canvas = new ShrinkingCanvas(window, size)
      return canvas
    })
    return canvas && turnUpright(canvas.finish(), facts.orientation)
  } catch (error) {
    if (error instanceof BrokenImageError) return undefined
    throw error
  }
}

const DECODERS = { png: decodePng, gif: decodeGif, jpeg: decodeJpeg }

/** How large the whole picture would be, if it were shrunk as much as what is seen of it. */
function wantedSize(facts: ImageFacts, plan: (whole: StoredSize, facts: ImageFacts) => Plan): StoredSize {
  const lies = facts.orientation >= 5
  const whole = lies ? { width: facts.height, height: facts.width } : facts
  const { window, size } = plan(whole, facts)
  return {
    width: Math.ceil((whole.width * size.width) / window.width),
    height: Math.ceil((whole.height * size.height) / window.height),
  }
}

async function webpDecoder(bytes: Uint8Array, { width, height, isAnimated }: ImageFacts): Promise<Decode> {
  if (width * height > MOST_WEBP_PIXELS) throw new BrokenImageError('The picture is too large')
  const pixels = await decodeWebp(isAnimated ? firstWebpFrame(bytes) : bytes)
  return (_bytes, _wanted, open) => {
    const taker = open(pixels)
    for (let y = 0; y < pixels.height; y += 1) {
      const start = y * pixels.width * 4
      const row = pixels.data.subarray(start, start + pixels.width * 4)
      taker.take(y, row, 0, 1, pixels.width)
    }
  }
}
