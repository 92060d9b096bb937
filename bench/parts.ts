/**
 * Starts the server with its parts in separate processes, as on the platform: the Worker of one account, the Worker of all others, the
 * objects, and D1 with R2. Waits are then as in production; in one process a user also waits for the Worker's work for others, and for the
 * stores.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { buildWorker } from '../scripts/build.ts'
import { evictRealm, inspectorUrlOf, type LocalServer } from '../scripts/local-server.ts'
import { applyMigrations } from '../scripts/migrations.ts'
import { type Runtime, startRuntime, type WorkerOptions } from '../scripts/runtime.ts'
import {
  addressOfStore,
  type BareKeeper,
  bareKeeper,
  bareSockets,
  bareStore,
  compatibilityDate,
  KEEPER,
} from './bare/start-bare.ts'

export interface ServerInParts extends LocalServer {
  /** The address of the other Worker, which is the one that is inspected. Without a slash at the end. */
  readonly secondUrl: string
  /** The present process of the other Worker. */
  secondPid(): number
  /** The address of a bare Worker in the other's process (bare/store.ts). */
  readonly storeUrl: string
  readonly keeper: BareKeeper
  /** Where the Worker of the others can be inspected. */
  readonly othersInspectorUrl: string
  /** What all processes have written into the log. */
  readonly logged: readonly string[]
}

const OBJECTS = 'parley'
const STORES = 'stores'
const DATABASE = 'DB'

/** @param vars the Worker's variables, over those of wrangler.toml. */
export async function startInParts(vars: Record<string, string>): Promise<ServerInParts> {
  const bundle = await buildWorker('local')
  const stateDir = mkdtempSync(join(tmpdir(), 'parley-'))
  const registry = join(stateDir, 'registry')
  mkdirSync(registry)
  const { assets: _, ...worker } = bundle.workerOptions as WorkerOptions & {
    bindings?: Record<string, string>
  }
  const started: Runtime[] = []
  const logged: string[] = []
  const start = async (workers: WorkerOptions[]) => {
    const runtime = await startRuntime({
      workers,
      resourcePersistencePath: join(stateDir, 'v3'),
      host: '127.0.0.1',
      port: 0,
      cf: false,
      inspectorPort: 0,
      handleStructuredLogs: ({ message }) => void logged.push(message),
      unsafeDevRegistryPath: registry,
      isolatedResourcePersistencePath: join(stateDir, 'isolated'),
      sharesStores: true,
    })
    started.push(runtime)
    return runtime
  }
  const stop = async () => {
    for (const runtime of started) await runtime.dispose()
    rmSync(stateDir, { recursive: true, force: true })
  }
  try {
    const stores = await start([
      {
        name: STORES,
        modules: true,
        script: 'export default {}',
        compatibilityDate: compatibilityDate(),
        d1Databases: worker.d1Databases,
        r2Buckets: worker.r2Buckets,
      },
    ])
    const { applied } = await applyMigrations(
      await stores.miniflare.getD1Database(DATABASE, STORES),
      bundle.migrations,
    )
    const served = (name: string, objects: object) => ({
      ...worker,
      name,
      rootPath: bundle.folder,
      modules: bundle.modules,
      bindings: { ...worker.bindings, ...vars },
      durableObjects: {
        REALM: { className: 'RealmObject', useSQLite: true, ...objects },
        HASHER: { className: 'HasherObject', useSQLite: true, ...objects },
      },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    })
    const objects = await start([served(OBJECTS, {}), bareSockets()])
    const first = await start([served('first', { scriptName: OBJECTS }), bareKeeper()])
    const second = await start([served('second', { scriptName: OBJECTS }), bareStore()])
    return {
      url: await directUrl(first.miniflare, 'first'),
      secondUrl: await directUrl(second.miniflare, 'second'),
      secondPid: second.pid,
      storeUrl: await addressOfStore(second.miniflare),
      keeper: {
        url: await directUrl(first.miniflare, KEEPER),
        inspectorUrl: await inspectorUrlOf(first.miniflare, KEEPER),
      },
      othersInspectorUrl: await inspectorUrlOf(first.miniflare, 'first'),
      logged,
      stateDir,
      migrations: applied,
      runtime: stores.miniflare,
      runtimePid: objects.pid,
      inspectorUrl: (of) =>
        of === 'objects'
          ? inspectorUrlOf(objects.miniflare, OBJECTS)
          : inspectorUrlOf(second.miniflare, 'second'),
      evictRealm: (realmId) => evictRealm(objects.miniflare, OBJECTS, realmId),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function directUrl(miniflare: Miniflare, worker: string): Promise<string> {
  return (await miniflare.unsafeGetDirectURL(worker)).origin
}
