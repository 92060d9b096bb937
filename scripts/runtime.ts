/** Miniflare, with the one thing that it does not tell: which process its workerd is. */
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { MiniflareOptions } from 'miniflare'
import { Miniflare } from 'miniflare'

export interface Runtime {
  miniflare: Miniflare
  /** The workerd now at work: when one is killed, Miniflare puts another in its place on the same port. */
  pid(): number
  dispose(): Promise<void>
}

/** One start after the other, because a new process can only be told apart while no other is expected. */
let lastStart: Promise<unknown> = Promise.resolve()

/** @param onProcess is called with the number of each workerd, the first and those that replace it. */
export function startRuntime(options: MiniflareOptions, onProcess?: (pid: number) => void): Promise<Runtime> {
  const started = lastStart.then(() => start(options, onProcess))
  lastStart = started.catch(() => {})
  return started
}

async function start(options: MiniflareOptions, onProcess?: (pid: number) => void): Promise<Runtime> {
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
  const miniflare = new Miniflare(options)
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

/** The address at which workerd finds its Miniflare: the same for all that one Miniflare starts, and no other's. */
function loopbackOf(child: ChildProcess): string | undefined {
  return child.spawnargs.find((argument) => argument.startsWith('--external-addr=loopback='))
}
