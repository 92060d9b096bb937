import { isStillGif, readGifSize } from './gif-header.ts'
import { readJpegHeader } from './jpeg-header.ts'
import type { StoredSize } from './picture.ts'
import { isApng, readPngSize } from './png-header.ts'
import { isAnimatedWebp, readWebpSize } from './webp-header.ts'

export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp'

/** Facts about a picture from its first bytes, regardless of its name. */
export interface ImageFacts {
  readonly type: ImageType
  /** Width in pixels as shown, after rotation by the EXIF orientation. At least 1. */
  readonly width: number
  readonly height: number
  /** EXIF: 1 upright, 3 upside down, 6 and 8 lying on a side, the others mirrored; 5 to 8 swap the sides. */
  readonly orientation: number
  /** Whether it is animated. A GIF counts as animated if `bytes` does not include its end. */
  readonly isAnimated: boolean
}

/**
 * Reads a picture's header. `bytes` may be the start of a file: for a JPEG it must include the frame header, which comes after the
 * camera's data (256 KiB are plenty). Undefined for anything but pictures that all kinds of browsers and apps can show.
 */
export function readImageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const png = readPngSize(bytes)
  if (png) return factsOf('png', png, { isAnimated: isApng(bytes) })
  const gif = readGifSize(bytes)
  if (gif) return factsOf('gif', gif, { isAnimated: !isStillGif(bytes) })
  const webp = readWebpSize(bytes)
  if (webp) return factsOf('webp', webp, { isAnimated: isAnimatedWebp(bytes) })
  const jpeg = readJpegHeader(bytes)
  return jpeg && factsOf('jpeg', jpeg, { orientation: jpeg.orientation })
}

function factsOf(
  type: ImageType,
  { width, height }: StoredSize,
  { isAnimated = false, orientation = 1 },
): ImageFacts | undefined {
  if (width === 0 || height === 0) return undefined
  const lies = orientation >= 5
  return {
    type,
    width: lies ? height : width,
    height: lies ? width : height,
    orientation,
    isAnimated,
  }
}
