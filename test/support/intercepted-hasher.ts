import { standIn } from './inside-tools.ts'
import type { DevEnvironment } from './inside-types.ts'
import { type HasherInterceptor, world } from './world.ts'

type Namespace = DevEnvironment['HASHER']
type Stub = ReturnType<Namespace['get']>
type Place = NonNullable<Awaited<ReturnType<Stub['reserve']>>>
type PicturePlace = NonNullable<Awaited<ReturnType<Stub['reservePicture']>>>

const around: HasherInterceptor = (call, method) => world.hasher(call, method)

/** Returns the objects that hash passwords with `world.hasher` before every RPC. */
export function interceptHasher(namespace: Namespace): Namespace {
  return standIn<Namespace>({
    idFromName: (name: string) => namespace.idFromName(name),
    // The local platform has no jurisdictions.
    jurisdiction: () => interceptHasher(namespace),
    get(id: DurableObjectId) {
      const stub = namespace.get(id)
      const methods = {
        hash: (...args: Parameters<Stub['hash']>) => around(async () => stub.hash(...args), 'hash'),
        async reserve(owner: string) {
          const place = await around(async () => stub.reserve(owner), 'reserve')
          return place && interceptPlace(place as Place)
        },
        async reservePicture(owner: string) {
          const place = await around(async () => stub.reservePicture(owner), 'reservePicture')
          return place && interceptPicturePlace(place as PicturePlace)
        },
      }
      // The platform's types turn an answer that may hold values of any type into `never`.
      return standIn<Stub>(methods as object)
    },
  })
}

function interceptPlace(place: Place): object {
  return {
    hash: (password: string) => around(async () => place.hash(password), 'hash'),
    verify: (password: string, stored: string | null) =>
      around(async () => place.verify(password, stored), 'verify'),
    [Symbol.dispose]: () => place[Symbol.dispose](),
  }
}

function interceptPicturePlace(place: PicturePlace): object {
  return {
    fitInside: (...args: Parameters<PicturePlace['fitInside']>) =>
      around(async () => place.fitInside(...args), 'fitInside'),
    cropSquare: (...args: Parameters<PicturePlace['cropSquare']>) =>
      around(async () => place.cropSquare(...args), 'cropSquare'),
    [Symbol.dispose]: () => place[Symbol.dispose](),
  }
}
