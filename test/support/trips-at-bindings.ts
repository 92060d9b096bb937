import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'
import { world } from './world.ts'

/** The waiting time of a far-away user: see test/meter/trips.ts. */
export interface Trips {
  readonly far: number
  readonly near: number
}

interface Clock {
  at: Trips
}

const NOW: Trips = { far: 0, near: 0 }

/**
 * Makes one request, and counts its trips at the bindings, on a clock on which each call of the realm object, of D1 and of R2 takes one far
 * trip, and each call of a copy of D1, of a cache and of the page's files a near one. This finds calls that src/core/request-record.ts does
 * not count.
 */
export async function countAtBindings(act: () => Promise<unknown>): Promise<Trips> {
  const worker: Clock = { at: NOW }
  /** Calls made by the realm object itself, which runs apart from the Worker's request. */
  let object: Clock | undefined
  const inWorker = new AsyncLocalStorage<Clock>()
  // Work in the background has neither: the Worker may just be asking whether an organization that it knows is still there.
  const clock = () => inWorker.getStore() ?? object
  let isCopy = () => {}
  const { d1, copy, store, reach, hasher } = world
  const before = { d1, copy, store, reach, hasher }

  world.copy = {
    read: ({ now }) => {
      isCopy()
      return now()
    },
  }
  world.d1 = (call, kind) => {
    let far = 1
    isCopy = () => {
      far = 0
    }
    // Whether a copy answers is known only once the call has begun.
    const answer = before.d1(call, kind)
    isCopy = () => {}
    // The object's batches for D1 belong to no request: earlier writes are sent when they are due.
    return trip(kind === 'batch' ? inWorker.getStore() : clock(), { far, near: 1 - far }, () => answer)
  }
  // The realm object never waits for R2; calls outside of this request make a copy next to an earlier one.
  world.store = (call, method) =>
    trip(inWorker.getStore(), { far: 1, near: 0 }, () => before.store(call, method))
  world.reach = (call, kind) => {
    const own: Clock = { at: NOW }
    const began = clock()
    const reach = () => {
      object = own
      return before.reach(call, kind).finally(() => {
        if (object === own) object = undefined
      })
    }
    return trip(began, { far: 1, near: 0 }, reach, own)
  }
  world.hasher = (call, method) =>
    trip(inWorker.getStore(), { far: 1, near: 0 }, () => before.hasher(call, method))
  // The binding is changed in place, since the Worker uses its identity as a cache key.
  const { ASSETS: files } = world.bindings
  const fetchFile = files?.fetch
  if (files && fetchFile) {
    files.fetch = (...asked) => trip(clock(), { far: 0, near: 1 }, () => fetchFile.apply(files, asked))
  }
  const open = caches.open.bind(caches)
  const spy = vi.spyOn(caches, 'open').mockImplementation(async (name) => nearCache(await open(name), clock))
  try {
    await inWorker.run(worker, act)
    return worker.at
  } finally {
    spy.mockRestore()
    Object.assign(world, before)
    if (files && fetchFile) files.fetch = fetchFile
  }
}

async function trip<Answer>(
  clock: Clock | undefined,
  length: Trips,
  ask: () => Promise<Answer>,
  within?: Clock,
): Promise<Answer> {
  if (!clock) return ask()
  const end = sum(clock.at, length)
  try {
    return await ask()
  } finally {
    clock.at = later(clock.at, sum(end, within?.at ?? NOW))
  }
}

function nearCache(cache: Cache, clock: () => Clock | undefined): Cache {
  return new Proxy(cache, {
    get(target, name) {
      const method = target[name as keyof Cache]
      if (name !== 'match') return typeof method === 'function' ? method.bind(target) : method
      return (...args: Parameters<Cache['match']>) =>
        trip(clock(), { far: 0, near: 1 }, () => target.match(...args))
    },
  })
}

function sum(a: Trips, b: Trips): Trips {
  return { far: a.far + b.far, near: a.near + b.near }
}

/** A far trip takes longer than any number of near ones. */
function later(a: Trips, b: Trips): Trips {
  return (a.far - b.far || a.near - b.near) < 0 ? b : a
}
