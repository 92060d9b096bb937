import makeDecoder, { type WebPModule as Decoder } from '@jsquash/webp/codec/dec/webp_dec.js'
import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { decodeByEmscripten } from './emscripten-decoder.ts'
import { BrokenImageError, type Decode, type Pixels, requireSmallEnough } from './picture.ts'
import { firstWebpFrame, readWebpSize } from './webp-header.ts'

/** The idle encoder. It is kept although its memory never shrinks, since it writes only small pictures. */
let idleEncoder: WebPModule | undefined

/** Options that halve the time of the library's defaults, for a picture 4 % larger. */
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
  // A frame has its own size, which may exceed the one that the file states for the animation.
  const size = readWebpSize(still)
  if (!size) throw new BrokenImageError('No such form of WebP')
  requireSmallEnough(size)
  return decodeByEmscripten<Decoder>(makeDecoder, decoderCode, size, (decoder) =>
    decoder.decode(new Uint8Array(still)),
  )
}
