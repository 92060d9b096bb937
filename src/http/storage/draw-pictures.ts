import { retryLater, ServiceUnavailableError } from '../../core/errors.ts'
import type { ImageResizer } from '../../core/images.ts'
import { farTrip, ownerOfRequest } from '../../core/request-record.ts'
import type { Drawn } from '../../hasher/picture-place.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, objectNamed, type Whereabouts } from '../request/environment.ts'
import { numberOfOwner } from '../request/password-hasher.ts'

/** Number of objects that draw pictures in each place. They are apart from those that hash passwords, so that no log-in waits for pictures. */
const DRAWERS = 8

/** Thrown while Cloudflare Images does not work, for instance because the account's quota is used up; a later try may succeed. */
export class NoImagesError extends ServiceUnavailableError {}

/** An object of the build before, during a deployment. */
const OF_EARLIER_BUILD = /does not implement/

/** Returns what draws the pictures of an organization: an object, since decoding takes more processor time than a request of the Worker may. */
export function picturesOf({ HASHER }: Pick<Environment, 'HASHER'>, where: Whereabouts): ImageResizer {
  const owner = ownerOfRequest()
  const name = `pictures-${where.location ?? 'anywhere'}-${numberOfOwner(owner) % DRAWERS}`
  const reserve = () => objectNamed(HASHER, name, where).reservePicture(owner)
  type Place = NonNullable<Awaited<ReturnType<typeof reserve>>>
  const inPlace = async (draw: (place: Place) => Promise<Drawn>) => {
    using place = await farTrip(async () => reserve())
    if (place === null) throw retryLater()
    return farTrip(() => draw(place))
  }
  const drawn = async (draw: (place: Place) => Promise<Drawn>) => {
    const picture = await whenReachable(true, () => inPlace(draw)).catch((error: unknown) => {
      if (error instanceof TypeError && OF_EARLIER_BUILD.test(error.message)) throw retryLater()
      throw error
    })
    if (picture === 'no images') throw new NoImagesError()
    return picture ?? undefined
  }
  return {
    fitInside: (bytes, bounds) => drawn(async (place) => place.fitInside(bytes, bounds)),
    cropSquare: (bytes, size) => drawn(async (place) => place.cropSquare(bytes, size)),
  }
}
