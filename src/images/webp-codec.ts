import makeDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { BrokenImageError, type Pixels } from './picture-rows.ts'

// Both codecs are started anew for each picture: what memory they take they never give back.

/** What a decoder has to say of a broken picture nobody needs to know. */
const QUIET = { printErr: () => {} }

/** A lossy WebP, with what is transparent. */
export async function encodeWebp({ data, width, height }: Pixels): Promise<Uint8Array> {
  const encoder = await initEmscriptenModule(makeEncoder, encoderCode)
  const bytes = encoder.encode(data, width, height, defaultOptions)
  if (!bytes) throw new Error('A picture could not be encoded')
  return bytes
}

/** @throws BrokenImageError */
export async function decodeWebp(bytes: Uint8Array): Promise<Pixels> {
  const decoder = await initEmscriptenModule(makeDecoder, decoderCode, QUIET)
  const pixels = decodedBy(() => decoder.decode(bytes))
  if (!pixels) throw new BrokenImageError('No such form of WebP')
  return pixels
}

/** What it does not find its way out of the decoder breaks off; it is not used again. */
function decodedBy(decode: () => Pixels | null): Pixels | null {
  try {
    return decode()
  } catch (error) {
    throw new BrokenImageError('The decoder broke off', { cause: error })
  }
}
