import { world } from './world.ts'

/** Returns R2 with `world.store` before every call; it fails while the world says so. */
export function interceptStore(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const method = target[name as keyof R2Bucket] as (...args: unknown[]) => unknown
      if (world.storeIsDown) return () => Promise.reject(new Error('R2 is down'))
      return (...args: unknown[]) =>
        world.store(() => method.apply(target, args) as Promise<unknown>, String(name))
    },
  })
}
