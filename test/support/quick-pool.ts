/**
 * Does once what the pool of workerds (@cloudflare/vitest-pool-workers) does at each request and each call of an object. The pool asks Vite,
 * in another process, for the Worker's main module; it wraps the prototype of the object's class again for each instance, so that a workerd
 * gets slower with each request; and it inspects the stack at each timer.
 */
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
import timers from 'node:timers'

interface ModuleRunner {
  import(address: string): Promise<unknown>
}

type AnyClass = new (...args: never) => object

declare global {
  var __vitest_mocker__: { readonly moduleRunner: ModuleRunner }
  var poolIsQuick: boolean | undefined
}

function importMainOnce(runner: ModuleRunner): void {
  const importAny = runner.import.bind(runner)
  let main: Promise<unknown> | undefined
  runner.import = (address) => {
    if (!address.endsWith('/test-worker/worker.mjs')) return importAny(address)
    main ??= importAny(address)
    return main
  }
}

const WRAPPED: ReadonlySet<unknown> = new Set([DurableObject, WorkerEntrypoint])

function wrapPrototypesOnce(): void {
  const construct = Reflect.construct
  const prototypes = new WeakMap<object, object>()
  Object.assign(Reflect, {
    construct(target: AnyClass, args: ArrayLike<unknown>, built: AnyClass = target): unknown {
      if (WRAPPED.has(target)) {
        const wrapped = prototypes.get(built)
        if (wrapped) Object.assign(built, { prototype: wrapped })
        else prototypes.set(built, built.prototype)
      }
      return construct(target, args, built)
    },
  })
}

/** The pool tracks only timers of Vitest that are due at once. */
function startOtherTimersDirectly(): void {
  const startFollowed = globalThis.setTimeout
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, ms?: number, ...args: []) =>
      ms ? timers.setTimeout(callback, ms, ...args) : startFollowed(callback, ms, ...args),
  })
}

// Files share a workerd.
if (!globalThis.poolIsQuick) {
  importMainOnce(globalThis.__vitest_mocker__.moduleRunner)
  wrapPrototypesOnce()
  startOtherTimersDirectly()
  globalThis.poolIsQuick = true
}
