/**
 * `npm run keep-state -- FILE`: makes a state folder with the demo organization and, beside it, something of every kind that can be made over
 * HTTP, and packs it into a file. There is one for each released step of the schema in test/kept-states, which every later build opens.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, constants } from 'node:zlib'
import { Response } from 'miniflare'
import { type Facts, furnish } from './furnish-state.ts'
import { startLocalServer } from './local-server.ts'
import { exitWithError } from './project.ts'

/** What a test needs to know of a kept state. */
export interface KeptState {
  /** Numbers of rows, by table, of the object and of D1. */
  readonly rows: Readonly<Record<'object' | 'd1', Readonly<Record<string, number>>>>
  /** The files of the folder, whose bytes follow one after another. */
  readonly files: readonly { readonly path: string; readonly size: number }[]
  /** Facts about accounts and messages. */
  readonly facts: Facts
}

async function main(): Promise<void> {
  const target = process.argv[2]
  if (target === undefined) throw new Error('Which file?')
  const stateDir = mkdtempSync(join(tmpdir(), 'parley-kept-'))
  const server = await startLocalServer({
    stateDir,
    vars: { RATE_LIMITS: 'off', LOG: 'troubles', EMAIL_DOMAIN: 'mail.localhost' },
    // No call leaves the machine.
    web: () => new Response('{"result":"error"}', { status: 500 }),
  })
  let facts: Facts
  try {
    facts = await furnish(server)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
  } finally {
    await server.stop()
  }
  finishLogs(stateDir)
  const rows = { object: rowsIn(stateDir, '/do/'), d1: rowsIn(stateDir, '/d1/') }
  pack(stateDir, target, { rows, facts })
  rmSync(stateDir, { recursive: true, force: true })
  const empty = Object.entries(rows.object).flatMap(([table, count]) => (count === 0 ? [table] : []))
  console.log(`Written to ${target}. Tables without a row: ${empty.join(' ')}`)
}

/** Moves what is in write-ahead logs into the databases. */
function finishLogs(stateDir: string): void {
  for (const name of readdirSync(stateDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.sqlite')) continue
    const database = new DatabaseSync(join(stateDir, name))
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM')
    database.close()
  }
}

function databases(stateDir: string, kind: '/do/' | '/d1/'): string[] {
  return readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(stateDir, name))
    .filter((file) => file.includes(kind) && /\/[0-9a-f]{40,}\.sqlite$/.test(file))
}

/** Counts the rows of each table. */
function rowsIn(stateDir: string, kind: '/do/' | '/d1/'): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const file of databases(stateDir, kind)) {
    const database = new DatabaseSync(file)
    const tables = database
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'`,
      )
      .all()
    for (const { name } of tables) {
      const { count } = database.prepare(`SELECT count(*) AS count FROM "${String(name)}"`).get()!
      counts[String(name)] = Number(count)
    }
    database.close()
  }
  return counts
}

/** Writes the folder into one file: JSON in the first line, and then the bytes of all files. */
function pack(stateDir: string, target: string, facts: Omit<KeptState, 'files'>): void {
  const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:shm|wal)$|^server\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const bytes = entries.map((file) => readFileSync(file))
  const files = entries.map((file, at) => ({
    path: file.slice(stateDir.length + 1),
    size: bytes[at]!.length,
  }))
  const head = `${JSON.stringify({ ...facts, files } satisfies KeptState)}\n`
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 }
  writeFileSync(target, brotliCompressSync(Buffer.concat([Buffer.from(head), ...bytes]), { params }))
}

await main().catch(exitWithError)
