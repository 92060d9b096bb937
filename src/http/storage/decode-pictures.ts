import { ISOLATE } from '../../core/budgets.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import type { ImageResizer } from '../../core/images.ts'
import { log } from '../../core/log.ts'
import { farTrip } from '../../core/request-record.ts'
import { withinTime } from '../../core/within-time.ts'
import type { StoredSize } from '../../images/picture.ts'
import { cropSquare, fitInside, type Shrink } from '../../images/resize-image.ts'
import { pictureMemory } from '../request/admission-control.ts'
import type { Environment } from '../request/environment.ts'

/** Timeout for Cloudflare Images, in milliseconds. */
const PATIENCE_MS = 20_000

/**
 * Error codes of Images for faults of the picture: too many bytes, not a picture, too many pixels, an unknown format, and undecodable.
 * Source: Cloudflare's documentation of Images, "Troubleshooting".
 */
const OF_THE_PICTURE: readonly unknown[] = [9402, 9412, 9413, 9520, 9523]

/** Thrown while Images refuses to resize, for instance because the account's quota is used up; a later try may succeed. */
export class NoImagesError extends ServiceUnavailableError {}

/**
 * Returns the decoder of pictures. It decodes one at a time in an isolate, since each may take most of the memory. Pictures too large for
 * that go to Cloudflare Images, if the deployment has it.
 */
export function picturesOf({ IMAGES }: Environment): ImageResizer {
  const shrink = IMAGES && shrinkBy(IMAGES)
  return {
    fitInside: (bytes, bounds) => alone(() => fitInside(bytes, bounds, shrink)),
    cropSquare: (bytes, size) => alone(() => cropSquare(bytes, size, shrink)),
  }
}

/** @throws ServiceUnavailableError (503) when too many requests wait */
async function alone<Result>(decode: () => Promise<Result>): Promise<Result> {
  const release = await pictureMemory.wait(ISOLATE.picture)
  try {
    return await decode()
  } finally {
    release()
  }
}

/** Images neither rotates nor encodes here, since its substitute in Miniflare cannot rotate and has a single quality. */
function shrinkBy(images: ImagesBinding): Shrink {
  const smaller = async (bytes: Uint8Array, { width, height }: StoredSize) => {
    const shrunk = await images
      .input(streamOf(bytes))
      .transform({ width, height, fit: 'squeeze' })
      .output({ format: 'image/png', anim: false })
    return new Uint8Array(await shrunk.response().arrayBuffer())
  }
  return async (bytes, size) => {
    try {
      return await farTrip(() => withinTime(PATIENCE_MS, smaller(bytes, size)))
    } catch (error) {
      if (error instanceof Error && 'code' in error && OF_THE_PICTURE.includes(error.code)) return undefined
      log('error', 'Images cannot be reached', { error })
      throw new NoImagesError()
    }
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}
