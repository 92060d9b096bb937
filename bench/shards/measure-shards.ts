/** Measures how an organization's object passes messages to its shards, with real objects in workerd and without code of Parley. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { MiniflareOptions } from 'miniflare'
import { startRuntime } from '../../scripts/runtime.ts'
import { compatibilityDate } from '../bare/start-bare.ts'
import { Connections } from '../http-load.ts'
import { processorMs } from '../processor-time.ts'

/** In ms. */
export interface ShardCosts {
  /** Time of the organization's object for each shard that it calls about a message. */
  readonly call: number
  /** Time of a shard for each listener that it sends a message to. */
  readonly send: number
}

const FEW = 1
const MANY = 65
const LISTENERS = 1_000
const WARM_UP = 100
const CALLED = 400
const DELIVERED = 40

/** Measures the processor time of the runtime, which excludes other work of the machine. */
export async function measureShardCosts(): Promise<ShardCosts> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shards-'))
  const source = readFileSync(join(import.meta.dirname, 'worker.ts'), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'es2024' })
  const { miniflare, pid, dispose } = await startRuntime({
    name: 'shards',
    modules: [{ type: 'ESModule', path: 'worker.js', contents: code }],
    compatibilityDate: compatibilityDate(),
    durableObjects: {
      ROOT: { className: 'RootObject', useSQLite: true },
      SHARD: { className: 'ShardObject', useSQLite: true },
    },
    defaultPersistRoot: folder,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    host: '127.0.0.1',
    port: 0,
    cf: false,
  } as MiniflareOptions)
  const connections = new Connections()
  try {
    const url = (await miniflare.unsafeGetDirectURL()).origin
    const send = (shards: number) => connections.ask({ method: 'POST', url: `${url}/send?shards=${shards}` })
    const costOf = async (times: number, work: () => Promise<unknown>) => {
      const before = processorMs(pid())
      for (let time = 0; time < times; time += 1) await work()
      return (processorMs(pid()) - before) / times
    }
    for (let time = 0; time < WARM_UP; time += 1) await send(MANY)
    const few = await costOf(CALLED, () => send(FEW))
    const many = await costOf(CALLED, () => send(MANY))
    const sockets = await listen(url)
    const heard = await costOf(DELIVERED, () => Promise.all([...sockets.map(nextOf), send(FEW)]))
    for (const socket of sockets) socket.close()
    return { call: (many - few) / (MANY - FEW), send: (heard - few) / LISTENERS }
  } finally {
    connections.close()
    await dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function listen(url: string): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < LISTENERS) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/listen?shards=0`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`No socket at ${url}`)))
    })
    sockets.push(socket)
  }
  return sockets
}

function nextOf(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
}
