import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { decodeInTurns } from './decode-webp.ts'
import { BrokenImageError, type Decode, type Pixels } from './picture.ts'
import { firstWebpFrame } from './webp-header.ts'

/**
 * The idle encoder. It is kept although its memory never shrinks, since the pictures that it writes are small. Pictures to decode
 * may be large, so a new decoder is started for each.
 */
let idleEncoder: WebPModule | undefined

/**
 * Limit of pixels, since a picture is in memory twice: here, and in its decoder, which needs more for itself.
 */
const MAX_PIXELS = 4_000_000

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

export const decodeWebp: Decode = async (bytes, { width, height, isAnimated }) => {
  if (width * height > MAX_PIXELS) throw new BrokenImageError('The picture is too large')
  const still = isAnimated ? firstWebpFrame(bytes) : bytes
  // The decoder throws where it cannot continue.
  const pixels = await decodeInTurns(still, decoderCode).catch((cause: unknown) => {
    throw new BrokenImageError('The decoder broke off', { cause })
  })
  if (!pixels) throw new BrokenImageError('No such form of WebP')
  return pixels
}
