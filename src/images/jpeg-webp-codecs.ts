import makeJpegDecoder, { type MozJPEGModule } from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegDecoderCode from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import makeWebpDecoder, { type WebPModule as WebpDecoder } from '@jsquash/webp/codec/dec/webp_dec.js'
import webpDecoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeWebpEncoder, { type WebPModule as WebpEncoder } from '@jsquash/webp/codec/enc/webp_enc.js'
import webpEncoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { ISOLATE } from '../core/budgets.ts'
import { END, isFrame, jpegSegments, SCAN } from './jpeg-header.ts'
import {
  BrokenImageError,
  type Decode,
  NotHereError,
  type Pixels,
  requireSmallEnough,
  type StoredSize,
} from './picture.ts'
import { firstWebpFrame, readWebpSize } from './webp-header.ts'

const PAGE_BYTES = 65_536

/**
 * Decodes a file by a decoder started for it: one that failed is in an unknown state, and its memory never shrinks. Its memory is capped:
 * the need of a picture does not always show in its header, since a lossless WebP may have thousands of tables.
 * @throws BrokenImageError, also for a format that the decoder does not know; NotHereError when it wants more memory
 */
export async function decodeByEmscripten<Decoder extends object>(
  make: (options?: object) => Promise<Decoder>,
  code: WebAssembly.Module,
  size: StoredSize,
  decode: (decoder: Decoder) => ImageData | null,
): Promise<Pixels> {
  // The pixels are copied out of the decoder's memory.
  const maxBytes = ISOLATE.picture - size.width * size.height * 4
  let isFull = false
  const limitGrowth = (memory: WebAssembly.Memory) => {
    const grow = memory.grow.bind(memory)
    memory.grow = (pages) => {
      isFull = memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes
      if (isFull) throw new RangeError('No more memory')
      return grow(pages)
    }
  }
  const decoder = await initEmscriptenModule<Decoder>(make, code, {
    // Errors about a broken picture are not printed.
    printErr: () => {},
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(code, imports)
      for (const part of Object.values(instance.exports)) {
        if (part instanceof WebAssembly.Memory) limitGrowth(part)
      }
      done(instance)
      return instance.exports
    },
  })
  let cause: unknown
  try {
    const pixels = decode(decoder)
    if (pixels) return pixels as Pixels
  } catch (error) {
    cause = error
  }
  if (isFull) throw new NotHereError('The picture takes too much memory', { cause })
  throw new BrokenImageError('The decoder broke off, or knows no such form', { cause })
}

/** Limit of the scans of a file. Encoders write about 10; even an empty one makes the decoder go through all pixels. */
const MAX_SCANS = 100

/** Components of a print (CMYK) picture, which the decoder does not convert. */
const CMYK = 4

/** Decodes a JPEG as stored: it is rotated later, when it is small. */
export const decodeJpeg: Decode = async (bytes, size) => {
  requireSmallEnough(size)
  const whole = bytes.subarray(0, requireEnd(bytes))
  return decodeByEmscripten<MozJPEGModule>(makeJpegDecoder, jpegDecoderCode, size, (decoder) =>
    decoder.decode(new Uint8Array(whole), false),
  )
}

/**
 * Returns the end of the picture, after which some cameras append a film. The decoder would draw a truncated file as far as it goes.
 * @throws BrokenImageError if there is no end, or too many scans come before it; NotHereError for a print picture
 */
function requireEnd(bytes: Uint8Array): number {
  let scans = 0
  for (const { marker, start, end } of jpegSegments(bytes)) {
    if (marker === END) return end
    if (isFrame(marker) && bytes[start + 5] === CMYK) throw new NotHereError('The picture is for print')
    if (marker === SCAN) scans += 1
    if (scans > MAX_SCANS) break
  }
  throw new BrokenImageError('The picture has no end')
}

/** The idle encoder. It is kept although its memory never shrinks, since it writes only small pictures. */
let idleEncoder: WebpEncoder | undefined

/** Options that halve the time of the library's defaults, for a picture 4 % larger. */
const WEBP_OPTIONS = { ...defaultOptions, method: 2 }

/** Returns a lossy WebP, with transparency. */
export async function encodeWebp({ data, width, height }: Pixels): Promise<Uint8Array> {
  const encoder = idleEncoder ?? (await initEmscriptenModule<WebpEncoder>(makeWebpEncoder, webpEncoderCode))
  idleEncoder = undefined
  const bytes = encoder.encode(data, width, height, WEBP_OPTIONS)
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
  return decodeByEmscripten<WebpDecoder>(makeWebpDecoder, webpDecoderCode, size, (decoder) =>
    decoder.decode(new Uint8Array(still)),
  )
}
