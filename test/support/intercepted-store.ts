import { world } from './world.ts'

/** Returns R2 with `world.store` before every call; it fails while the world says so. */
export function interceptStore(bucket: R2Bucket): R2Bucket {
  return intercept(bucket)
}

function intercept<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = target[name as keyof Store] as unknown
      if (typeof method !== 'function') return method
      // The only method that does not call the store.
      if (name === 'resumeMultipartUpload')
        return (...args: unknown[]) => intercept(method.apply(target, args))
      if (world.storeIsDown) return () => Promise.reject(new Error('R2 is down'))
      return (...args: unknown[]) =>
        world.store(() => method.apply(target, args) as Promise<unknown>, String(name))
    },
  })
}
