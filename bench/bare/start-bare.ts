import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { Miniflare } from 'miniflare'
import { WRANGLER_CONFIG } from '../../scripts/project.ts'
import { startRuntime, type WorkerOptions } from '../../scripts/runtime.ts'

export interface BareServer {
  /** Address without a slash at the end. */
  readonly url: string
  /** Address of the Worker that does the work that the interface requires (obliged-baseline.ts). */
  readonly obligedUrl: string
  /** Address of the Worker that writes the rows of an import (importing.ts). */
  readonly importingUrl: string
  readonly runtime: Miniflare
  /** Id of the workerd process. */
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts the bare Worker in its own workerd and on its own socket, as the local server runs Parley.
 *
 * @param beside other Workers in the same workerd.
 * @param kept a folder for the data, which is kept; a temporary one by default.
 */
export async function startBare(beside: readonly WorkerOptions[] = [], kept?: string): Promise<BareServer> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'parley-bare-'))
  const { miniflare, dispose, pid } = await startRuntime({
    workers: [
      { ...bareOptions(), unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
      { ...importingOptions(), unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
      { ...baselineOptions(), unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
      ...beside,
    ],
    resourcePersistencePath: folder,
    host: '127.0.0.1',
    port: 0,
    cf: false,
  })
  const database = await miniflare.getD1Database('DB', 'bare')
  await database
    .prepare(`CREATE TABLE IF NOT EXISTS body (id INTEGER PRIMARY KEY, content TEXT NOT NULL)`)
    .run()
  await database
    .prepare(`CREATE TABLE IF NOT EXISTS text (id INTEGER PRIMARY KEY, content TEXT NOT NULL)`)
    .run()
  await database
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS text_search USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram')`,
    )
    .run()
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS message_body (realm_id INTEGER, message_id INTEGER, content TEXT NOT NULL, rendered_content TEXT NOT NULL,
        PRIMARY KEY (realm_id, message_id)) WITHOUT ROWID`,
    )
    .run()
  await database
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS message_search USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram')`,
    )
    .run()
  await database
    .prepare(`INSERT INTO body (content) SELECT printf('%.500c', 'x') FROM json_each(?)`)
    .bind(JSON.stringify(Array(100).fill(0)))
    .run()
  return {
    url: (await miniflare.unsafeGetDirectURL('bare')).origin,
    obligedUrl: (await miniflare.unsafeGetDirectURL('obliged')).origin,
    importingUrl: (await miniflare.unsafeGetDirectURL('importing')).origin,
    runtime: miniflare,
    pid: pid(),
    async stop() {
      await dispose()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function bareOptions() {
  return {
    ...moduleOf('worker.ts'),
    name: 'bare',
    durableObjects: { BARE: { className: 'BareObject', useSQLite: true } },
    d1Databases: { DB: 'bare' },
  }
}

const STORE = 'bare-store'

/** Name of the Worker that has the object for sockets of the bare Worker that stores files. */
const SOCKETS = 'bare-sockets'

/** A Worker next to Parley's that stores files and does nothing else (store.ts); its sockets are with the object of another Worker. */
export function bareStore(): WorkerOptions {
  return storeNamed(STORE, { scriptName: SOCKETS })
}

/** The Worker whose object holds those sockets. It runs next to the organizations' objects. */
export function bareSockets(): WorkerOptions {
  return storeNamed(SOCKETS, {})
}

function storeNamed(name: string, objects: { scriptName?: string }): WorkerOptions {
  return {
    ...moduleOf('store.ts'),
    name,
    durableObjects: { SOCKETS: { className: 'SocketsObject', useSQLite: true, ...objects } },
    r2Buckets: { FILES: STORE },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  }
}

export async function addressOfStore(runtime: Miniflare): Promise<string> {
  return (await runtime.unsafeGetDirectURL(STORE)).origin
}

export interface BareKeeper {
  readonly url: string
  readonly inspectorUrl: string
}

export const KEEPER = 'bare-keeper'

/** A Worker next to Parley's that holds any amount of memory (keeper.ts). */
export function bareKeeper(): WorkerOptions {
  return {
    ...moduleOf('keeper.ts'),
    name: KEEPER,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  }
}

function baselineOptions() {
  return {
    ...moduleOf('obliged-baseline.ts'),
    name: 'obliged',
    durableObjects: {
      OBLIGED: { className: 'BaselineObject', useSQLite: true },
      BLOCKS: { className: 'BlocksObject', useSQLite: true },
    },
    d1Databases: { DB: 'bare' },
  }
}

function importingOptions() {
  return {
    ...moduleOf('importing.ts'),
    name: 'importing',
    durableObjects: { IMPORTING: { className: 'ImportingObject', useSQLite: true } },
    d1Databases: { DB: 'bare' },
  }
}

function moduleOf(file: string) {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    external: ['cloudflare:workers'],
  })
  return {
    modules: [{ type: 'ESModule' as const, path: 'worker.js', contents: outputFiles[0]!.text }],
    compatibilityDate: compatibilityDate(),
    // Compression is off, as in Parley: it takes a fifth of the time of a hundred streams.
    compatibilityFlags: ['no_web_socket_compression'],
  }
}

export function compatibilityDate(): string {
  const date = /^compatibility_date = "(.+)"$/m.exec(readFileSync(WRANGLER_CONFIG, 'utf8'))?.[1]
  if (date === undefined) throw new Error('wrangler.toml names no compatibility date')
  return date
}
