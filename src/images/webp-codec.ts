import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { DECODED_PICTURE } from '../core/worker-budgets.ts'
import { decodeInTurns } from './decode-webp.ts'
import { BrokenImageError, type Decode, type Pixels, requireMemory } from './picture.ts'
import { firstWebpFrame, isPlainWebp, readWebpSize } from './webp-header.ts'

/**
 * The idle encoder. It is kept although its memory never shrinks, since the pictures that it writes are small. Pictures to decode
 * may be large, so a new decoder is started for each.
 */
let idleEncoder: WebPModule | undefined

/** Limit of a picture that is decoded: a larger one would keep a Worker busy for long. */
const MAX_PIXELS = 4_000_000
/** Bytes of memory for each pixel, which is there twice, as measured: lossless pictures, and transparency, are decoded beside the pixels. */
const PIXEL_BYTES = { plain: 8, other: 12.6 } as const
/** Bytes that the decoder takes besides. */
const DECODER_BYTES = 1_000_000

/** Options that take half as long as the library's own, for a picture that is 4 % larger: it is encoded in one go. */
const OPTIONS = { ...defaultOptions, method: 2 }

/** Returns a lossy WebP, with transparency. */
export async function encodeWebp({ data, width, height }: Pixels): Promise<Uint8Array> {
  const encoder = idleEncoder ?? (await initEmscriptenModule<WebPModule>(makeEncoder, encoderCode))
  idleEncoder = undefined
  const bytes = encoder.encode(data, width, height, OPTIONS)
  idleEncoder = encoder
  if (!bytes) throw new Error('A picture could not be encoded')
  return bytes
}

export const decodeWebp: Decode = async (bytes, { isAnimated }) => {
  const still = isAnimated ? firstWebpFrame(bytes) : bytes
  // A frame has a size of its own, which may be larger than what the file says of the animation.
  const size = readWebpSize(still)
  if (!size) throw new BrokenImageError('No such form of WebP')
  const { width, height } = size
  if (width * height > MAX_PIXELS) throw new BrokenImageError('The picture is too large')
  const pixelBytes = PIXEL_BYTES[isPlainWebp(still) ? 'plain' : 'other']
  // The decoder has a copy of the file.
  requireMemory(DECODER_BYTES + still.length + width * height * pixelBytes)
  const decoderBytes = DECODED_PICTURE - width * height * 4
  // The decoder throws where it cannot continue.
  const pixels = await decodeInTurns(still, decoderCode, decoderBytes).catch((cause: unknown) => {
    throw new BrokenImageError('The decoder broke off', { cause })
  })
  if (!pixels) throw new BrokenImageError('No such form of WebP')
  return pixels
}
