import makeDecoder, { type MozJPEGModule } from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import code from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import { decodeByEmscripten } from './emscripten-decoder.ts'
import { END, isFrame, jpegSegments, SCAN } from './jpeg-header.ts'
import { BrokenImageError, type Decode, NotHereError, requireSmallEnough } from './picture.ts'

/** Scans of a file. Encoders write some 10; each takes the decoder as long as there are pixels, even if it is empty. */
const MAX_SCANS = 100

/** Colours of a picture for print, from which the decoder makes no others. */
const CMYK = 4

/** Decodes a JPEG as it is stored: it is turned later, when it is small. */
export const decodeJpeg: Decode = async (bytes, size) => {
  requireSmallEnough(size)
  const whole = bytes.subarray(0, requireEnd(bytes))
  return decodeByEmscripten<MozJPEGModule>(makeDecoder, code, size, (decoder) =>
    decoder.decode(new Uint8Array(whole), false),
  )
}

/**
 * Returns the end of the picture, behind which some cameras add a film. Of a file that is cut off, the decoder would draw what is there.
 * @throws BrokenImageError when there is none, or too many scans are before it; NotHereError for a picture for print
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
