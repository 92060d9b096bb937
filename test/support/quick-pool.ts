/**
 * Does once what the pool of workerds (@cloudflare/vitest-plugin) does at each call of an object: it asks Vite, in another process, for the
 * Worker's main module, and inspects the stack at each timer.
 */
import timers from 'node:timers'

interface ModuleRunner {
  import(address: string, options?: object): Promise<unknown>
}

declare global {
  var __vitest_mocker__: { readonly moduleRunner: ModuleRunner }
  var poolIsQuick: boolean | undefined
}

function importMainOnce(runner: ModuleRunner): void {
  const importAny = runner.import.bind(runner)
  let main: Promise<unknown> | undefined
  runner.import = (address, options) => {
    if (!address.endsWith('/test-worker/worker.mjs')) return importAny(address, options)
    main ??= importAny(address)
    return main
  }
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
  startOtherTimersDirectly()
  globalThis.poolIsQuick = true
}
