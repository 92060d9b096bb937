import makeDecoder, { type MozJPEGModule } from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import code from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import { decodeByEmscripten } from './emscripten-decoder.ts'
import { END, isFrame, jpegSegments, SCAN } from './jpeg-header.ts'
import { BrokenImageError, type Decode, NotHereError, requireSmallEnough } from './picture.ts'

/** Limit of the scans of a file. Encoders write about 10; even an empty one makes the decoder go through all pixels. */
const MAX_SCANS = 100

/** Components of a print (CMYK) picture, which the decoder does not convert. */
const CMYK = 4

/** Decodes a JPEG as stored: it is rotated later, when it is small. */
export const decodeJpeg: Decode = async (bytes, size) => {
  requireSmallEnough(size)
  const whole = bytes.subarray(0, requireEnd(bytes))
  return decodeByEmscripten<MozJPEGModule>(makeDecoder, code, size, (decoder) =>
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
