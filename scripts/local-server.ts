/**
 * The server on this machine: the bundle of `scripts/build.ts` in workerd, with real sockets, D1 and
 * Durable Objects in a state folder. `npm start`, the tests over HTTP, the demo and the benchmark all
 * use it. The port is workerd's own socket, without a proxy in front: as close to production as one machine can be.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { withinTime } from '../src/core/within-time.ts'
import type { Entry, WorkerBundle } from './build.ts'
import { buildWorker } from './build.ts'
import { applyMigrations, OtherBuildError } from './migrations.ts'
import { startRuntime, type WorkerOptions } from './runtime.ts'
import {
  describeOtherBuild,
  describeRunning,
  findRunningServer,
  forgetServer,
  keepBodyDatabases,
  keepSecretsKey,
  noteServer,
  openStateDir,
} from './state-folder.ts'

/** The timeout of an eviction, in milliseconds: the runtime waits forever for an object that always has work under way. */
const EVICTED_MS = 15_000

export interface LocalServerOptions {
  /** The Worker's entry; by default `local`, with the development endpoints. */
  entry?: Entry
  /** A finished bundle, in place of `entry`. */
  bundle?: WorkerBundle
  /** The folder of the built page. Absent: there is none, and `/` says how to log in with a client. */
  page?: string
  /** The folder of the page that shows each component, at /dev/components. */
  components?: string
  /** The port; 0 or absent: a free one. */
  port?: number
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string
  /** The state folder, which is kept between starts. Absent: a new temporary folder, removed when the server stops. */
  stateDir?: string
  /** The Worker's variables, which override those of wrangler.toml. */
  vars?: Record<string, string>
  /** The number of D1 databases for texts besides `DB`; never fewer than the folder has. */
  bodyDatabases?: number
  /** False: without R2, so that files are in D1. */
  hasBuckets?: boolean
  /** Answers in place of all other servers. */
  web?: Extract<WorkerOptions['outboundService'], (...args: never[]) => unknown>
  /** Whether `runtime.dispatchFetch` can deliver what the platform delivers (mail), which the port does not take. */
  triggers?: boolean
  /** Other Workers in the same process, for measurements. */
  beside?: readonly WorkerOptions[]
  /** Whether the heap and the processor use can be inspected: see `inspectorUrl`. */
  inspector?: boolean
  /** Whether objects have an isolate of their own, as on the platform. Absent: they share that of the Worker. */
  apart?: boolean
}

/** Name of the Worker, and of its twin that has the objects where they are `apart`. */
const WORKER = 'parley'
const OBJECTS = 'parley-objects'

export interface LocalServer {
  /** Without a slash at the end. */
  url: string
  stateDir: string
  /** Names of the D1 migrations now applied, oldest first. */
  migrations: string[]
  /** The runtime's own handle: its bindings, `unsafeEvictDurableObject`, … */
  runtime: Miniflare
  /** The present workerd process. A killed one is replaced, on the same port and state. */
  runtimePid(): number
  /** The address at which the isolate of the Worker, or of the objects, can be inspected (Chrome's DevTools protocol): the same one unless they are `apart`. */
  inspectorUrl(of?: 'worker' | 'objects'): Promise<string>
  /** Evicts the object of an organization. It throws while the object has work of its own under way, such as a call to a webhook that does not answer. */
  evictRealm(realmId: number): Promise<void>
  /**
   * Kills workerd, whatever it is doing. For the state folder this is a crash, which it must survive.
   */
  stop(): Promise<void>
}

/**
 * Resolves when the server answers and the D1 schema is current.
 * @throws {Error} with a sentence for the user: folder or port in use, state of another build, a migration that failed.
 * @throws {ProgramFailedError} when the source cannot be bundled.
 */
export async function startLocalServer(options: LocalServerOptions = {}): Promise<LocalServer> {
  const bundle = options.bundle ?? (await buildWorker(options.entry ?? 'local'))
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), 'parley-'))
  const { host, port } = addressOf(options)

  openStateDir(stateDir)
  const running = await findRunningServer(stateDir)
  if (running !== undefined) throw new Error(describeRunning(stateDir, running))
  await requireFreePort({ host, port })
  const d1Databases = d1DatabasesOf(bundle, keepBodyDatabases(stateDir, options.bodyDatabases ?? 0))
  const migrations = await migrateLocalD1(bundle, stateDir, d1Databases)

  // The files come from workerd's own disk service: Miniflare would put two more Workers before ours.
  const {
    assets: _,
    r2Buckets,
    ...worker
  } = bundle.workerOptions as WorkerOptions & {
    bindings?: Record<string, string>
  }
  let url = ''
  const note = (runtimePid: number) => {
    if (url !== '') noteServer(stateDir, { url, pid: process.pid, runtimePid })
  }
  const { name, ...shared } = runtimeOptions(stateDir)
  const served = {
    ...worker,
    name,
    d1Databases,
    ...(options.hasBuckets === false ? {} : { r2Buckets }),
    rootPath: bundle.folder,
    modules: bundle.modules,
    bindings: { ...worker.bindings, SECRETS_KEY: keepSecretsKey(stateDir), ...options.vars },
    unsafeDirectSockets: [{ host, port }],
    ...(options.page || options.components ? { serviceBindings: foldersOf(options) } : {}),
    ...(options.web ? { outboundService: options.web } : {}),
  }
  const runtime = await startRuntime(
    {
      ...shared,
      workers: [...(options.apart ? apart(served) : [served]), ...(options.beside ?? [])],
      ...(options.triggers ? { unsafeTriggerHandlers: true } : {}),
      ...(options.inspector ? { inspectorPort: 0 } : {}),
    },
    note,
  )
  url = (await runtime.miniflare.unsafeGetDirectURL(name)).origin
  note(runtime.pid())
  const cleanUp = () => {
    forgetServer(stateDir)
    if (options.stateDir === undefined) rmSync(stateDir, { recursive: true, force: true })
  }
  // If the process ends without having stopped the server, Miniflare kills workerd, and only this is left to do.
  process.once('exit', cleanUp)
  let ended: Promise<void> | undefined
  const end = async () => {
    process.off('exit', cleanUp)
    await runtime.dispose()
    cleanUp()
  }
  return {
    url,
    stateDir,
    migrations,
    runtime: runtime.miniflare,
    runtimePid: runtime.pid,
    inspectorUrl: (of) =>
      inspectorUrlOf(runtime.miniflare, options.apart && of === 'objects' ? OBJECTS : WORKER),
    evictRealm: (realmId) => evictRealm(runtime.miniflare, options.apart ? OBJECTS : WORKER, realmId),
    stop() {
      ended ??= end()
      return ended
    },
  }
}

/** Returns the Worker, and its twin with the objects. The stored state is the same as when they share an isolate. */
function apart(worker: WorkerOptions & { name: string; unsafeDirectSockets?: unknown }): WorkerOptions[] {
  const { unsafeDirectSockets: _, ...twin } = worker
  const classes = Object.entries(worker.durableObjects as Record<string, { className: string }>)
  const withClasses = (facts: (className: string) => object) =>
    Object.fromEntries(classes.map(([binding, own]) => [binding, { ...own, ...facts(own.className) }]))
  const unsafeUniqueKey = (className: string) => ({ unsafeUniqueKey: `${worker.name}-${className}` })
  return [
    { ...worker, durableObjects: withClasses(() => ({ scriptName: OBJECTS })) },
    { ...twin, name: OBJECTS, durableObjects: withClasses(unsafeUniqueKey) },
  ] as WorkerOptions[]
}

/** @param worker the name of the Worker that has the objects. */
export function evictRealm(miniflare: Miniflare, worker: string, realmId: number): Promise<void> {
  const evicted = miniflare.unsafeEvictDurableObject(worker, 'RealmObject', { name: `realm-${realmId}` })
  return withinTime(EVICTED_MS, evicted)
}

/** The address at which a Worker's isolate can be inspected. */
export async function inspectorUrlOf(miniflare: Miniflare, worker: string): Promise<string> {
  const { host } = await miniflare.getInspectorURL()
  const list = await fetch(`http://${host}/json`)
  const targets = (await list.json()) as { id: string; webSocketDebuggerUrl: string }[]
  const target = targets.find(({ id }) => id === `core:user:${worker}`)
  if (!target) throw new Error('The server cannot be inspected, since it was started without `inspector`')
  return target.webSocketDebuggerUrl
}

/** The result of a statement in the local D1; see D1's own `D1Result`. */
type LocalD1 = Awaited<ReturnType<Miniflare['getD1Database']>>

/**
 * Opens the D1 of a state folder, whether a server runs or not (SQLite lets a second process in) and
 * closes it when `work` is done.
 */
export async function withLocalD1<R>(
  bundle: WorkerBundle,
  stateDir: string,
  work: (database: LocalD1, named: (name: string) => Promise<LocalD1>) => Promise<R>,
  d1Databases = d1DatabasesOf(bundle, 0),
): Promise<R> {
  const runtime = await startRuntime({
    ...runtimeOptions(stateDir),
    modules: true,
    script: 'export default {}',
    d1Databases,
  })
  try {
    const named = (name: string) => runtime.miniflare.getD1Database(name)
    return await work(await named('DB'), named)
  } finally {
    await runtime.dispose()
  }
}

/**
 * Migrates before the server opens its port, so that no request meets an old schema.
 * @throws {Error} for state of another build, which is left as it is.
 */
async function migrateLocalD1(
  bundle: WorkerBundle,
  stateDir: string,
  d1Databases: Record<string, string>,
): Promise<string[]> {
  const migrate = async (database: LocalD1, named: (name: string) => Promise<LocalD1>) => {
    for (const name of Object.keys(d1Databases)) {
      if (name !== 'DB') await applyMigrations(await named(name), bundle.migrations)
    }
    return (await applyMigrations(database, bundle.migrations)).applied
  }
  try {
    return await withLocalD1(bundle, stateDir, migrate, d1Databases)
  } catch (error) {
    if (!(error instanceof OtherBuildError)) throw error
    throw new Error(describeOtherBuild(stateDir, error.build))
  }
}

/** Returns the databases by binding: that of wrangler.toml, and this number of databases for texts. */
function d1DatabasesOf({ workerOptions }: WorkerBundle, bodyDatabases: number): Record<string, string> {
  const numbers = Array.from({ length: bodyDatabases }, (_, index) => index + 1)
  return {
    ...(workerOptions.d1Databases as Record<string, string>),
    ...Object.fromEntries(numbers.map((number) => [`BODIES_${number}`, `parley-bodies-${number}`])),
  }
}

/** Folders that the Worker reads as files. */
function foldersOf({ page, components }: LocalServerOptions) {
  return {
    ...(page ? { ASSETS: { disk: { path: page } } } : {}),
    ...(components ? { COMPONENTS: { disk: { path: components } } } : {}),
  }
}

function addressOf({ host = '127.0.0.1', port = 0 }: Pick<LocalServerOptions, 'host' | 'port'>) {
  return { host, port }
}

/**
 * Refuses a port that is in use, for which workerd would print a stack trace.
 * @throws {Error} with a sentence for the user.
 */
export function requireFreePort(options: Pick<LocalServerOptions, 'host' | 'port'>): Promise<void> {
  const { host, port } = addressOf(options)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be opened (${error.message})`
      reject(new Error(`Port ${port} of ${host} ${why}. Choose another with --port N or PORT=N.`))
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

function runtimeOptions(stateDir: string) {
  return {
    // The name is part of the Durable Objects' folder name.
    name: WORKER,
    resourcePersistencePath: join(stateDir, 'v3'),
    host: '127.0.0.1',
    port: 0,
    // Otherwise Miniflare would try to fetch a sample of `request.cf` from the network.
    cf: false,
  }
}
