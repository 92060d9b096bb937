/** Starts Miniflare, and finds the process id of its workerd, which Miniflare does not give. */
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  convertV4MiniflareOptions,
  Miniflare,
  type V4MiniflareOptions,
  type V4WorkerOptions,
} from 'miniflare'

/** The options of Miniflare in the form in which wrangler gives those of wrangler.toml. */
export type RuntimeOptions = V4MiniflareOptions & {
  /** Whether D1 and R2 are those of the process that has first used the folder, found by the registry. */
  sharesStores?: true
}
export type WorkerOptions = V4WorkerOptions

export interface Runtime {
  miniflare: Miniflare
  /** The present workerd process. When it is killed, Miniflare starts another one on the same port. */
  pid(): number
  dispose(): Promise<void>
}

/** Starts are serialized, because a new process can be recognized only while no other is expected. */
let lastStart: Promise<unknown> = Promise.resolve()

/** @param onProcess is called with the number of each workerd, the first and those that replace it. */
export function startRuntime(options: RuntimeOptions, onProcess?: (pid: number) => void): Promise<Runtime> {
  const started = lastStart.then(() => start(options, onProcess))
  lastStart = started.catch(() => {})
  return started
}

async function start(
  { sharesStores, ...options }: RuntimeOptions,
  onProcess?: (pid: number) => void,
): Promise<Runtime> {
  let workerd: ChildProcess | undefined
  const onSpawn = (child: ChildProcess) => {
    if (workerd !== undefined && loopbackOf(child) !== loopbackOf(workerd)) return
    workerd = child
    if (child.pid !== undefined) onProcess?.(child.pid)
  }
  const onChild = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => onSpawn(child))
  }
  subscribe('child_process', onChild)
  const converted = convertV4MiniflareOptions(options)
  const miniflare = new Miniflare(
    sharesStores ? { ...converted, unsafeEnableSharedStorage: true } : converted,
  )
  const dispose = async () => {
    unsubscribe('child_process', onChild)
    await miniflare.dispose()
  }
  try {
    await miniflare.ready
  } catch (error) {
    await dispose().catch(() => {})
    throw error
  }
  const pid = () => {
    if (workerd?.pid === undefined) throw new Error('workerd is not running')
    return workerd.pid
  }
  return { miniflare, pid, dispose }
}

/** Returns the address at which workerd finds its Miniflare: it is the same for all processes of one Miniflare, and differs from any other's. */
function loopbackOf(child: ChildProcess): string | undefined {
  return child.spawnargs.find((argument) => argument.startsWith('--external-addr=loopback='))
}
