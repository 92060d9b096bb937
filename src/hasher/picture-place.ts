import { RpcTarget } from 'cloudflare:workers'
import { FairQueue } from '../core/fair-scheduler.ts'
import type { ImageBounds } from '../core/images.ts'
import { log } from '../core/log.ts'
import { newRecord, recorded } from '../core/request-record.ts'
import { TimeLimit, withinTime } from '../core/within-time.ts'
import type { StoredSize } from '../images/picture.ts'
import { cropSquare, fitInside, type Shrink } from '../images/resize-image.ts'

export interface PictureEnvironment {
  readonly IMAGES?: ImagesBinding
}

/** A picture that was drawn; null: it cannot be decoded; 'no images': Cloudflare Images, which it needs, does not work at the moment. */
export type Drawn = Uint8Array | null | 'no images'

/** Timeout for Cloudflare Images, in milliseconds. */
const PATIENCE_MS = 20_000
/** Milliseconds after which a place is free again, whose Worker may never give it back. */
const LONGEST_MS = 60_000
/** Roughly the milliseconds of one picture. */
const DRAWING_MS = 100

/** Pictures that wait to be drawn in an isolate, in total and of one account; and for how long. */
const WAITING = { waiting: 200, ofOne: 50, milliseconds: 8_000 } as const

const queue = new FairQueue(WAITING)
/** The time left to whoever has the place. */
let taken: TimeLimit | undefined

/**
 * Waits until the isolate has memory for a picture. It draws one at a time, since each may take most of the memory; the Worker sends it once it
 * has the place, so that those that wait take none.
 * @throws ServiceUnavailableError (503) when too many wait, or it takes too long
 */
export async function waitForPlace(owner: string, env: PictureEnvironment): Promise<PicturePlace> {
  const place = queue.enter(owner)
  try {
    const take = () => {
      if (taken && !taken.isOver) return undefined
      taken = new TimeLimit(LONGEST_MS)
      return taken
    }
    const own = await place.wait(DRAWING_MS, take, new TimeLimit(WAITING.milliseconds))
    return new PicturePlace(owner, env, () => {
      if (taken === own) taken = undefined
    })
  } finally {
    place.leave()
  }
}

export class PicturePlace extends RpcTarget {
  readonly #owner: string
  readonly #env: PictureEnvironment
  readonly #leave: () => void

  constructor(owner: string, env: PictureEnvironment, leave: () => void) {
    super()
    this.#owner = owner
    this.#env = env
    this.#leave = leave
  }

  fitInside(bytes: Uint8Array, bounds: ImageBounds): Promise<Drawn> {
    return this.#draw((shrink) => fitInside(bytes, bounds, shrink))
  }

  cropSquare(bytes: Uint8Array, size: number): Promise<Drawn> {
    return this.#draw((shrink) => cropSquare(bytes, size, shrink))
  }

  async #draw(draw: (shrink: Shrink | undefined) => Promise<Uint8Array | undefined>): Promise<Drawn> {
    const { IMAGES } = this.#env
    const work = () => draw(IMAGES && shrinkBy(IMAGES))
    try {
      return (await recorded(newRecord('draw-picture', undefined, this.#owner), work)) ?? null
    } catch (error) {
      if (error instanceof NoImagesError) return 'no images'
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#leave()
  }
}

/** Thrown while Images refuses to resize, for instance because the account's quota is used up; a later try may succeed. */
class NoImagesError extends Error {}

/**
 * Error codes of Images for faults of the picture: too many bytes, not a picture, too many pixels, an unknown format, and undecodable.
 * Source: Cloudflare's documentation of Images, "Troubleshooting".
 */
const OF_THE_PICTURE: readonly unknown[] = [9402, 9412, 9413, 9520, 9523]

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
      return await withinTime(PATIENCE_MS, smaller(bytes, size))
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
