import { env, runInDurableObject } from 'cloudflare:test'
import { backupStores } from '../../src/core/backup-store.ts'
import { backupSealer } from '../../src/core/sealed-backup.ts'
import {
  type ChangeLine,
  fileKey,
  type Manifest,
  manifestFolder,
  type RowLine,
  type TextLine,
} from '../../src/model/backups/backup-form.ts'
import { BackupReader } from '../../src/model/backups/backup-reader.ts'
import { bytesOf } from '../../src/model/backups/chunk-store.ts'
import { type ListedErasure, readListedErasures } from '../../src/model/backups/listed-erasures.ts'
import { copiedTables, NOT_COPIED } from '../../src/store/backups/copied-tables.ts'
import { beginFilling, endFilling, fillChanges, fillRows } from '../../src/store/backups/fill-tables.ts'
import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'
import { realmStub } from './api.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

async function readerOfNewest(realmId: number): Promise<BackupReader> {
  const stores = backupStores({ ...env, ...world.bindings })
  const { found } = await stores[0]!.list(manifestFolder(realmId), '')
  return BackupReader.open(stores, await backupSealer({ ...env, ...world.settings }), found.at(-1)!.key)
}

/** Returns what the newest backup of an organization consists of. */
export async function newestManifest({ id }: TestRealm): Promise<Manifest> {
  return (await readerOfNewest(id)).manifest
}

/** Opens the newest backup of an organization: its manifest, and its rows by table, as a restore would write them. */
export async function openNewestBackup({ id }: TestRealm): Promise<{
  readonly manifest: Manifest
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>
  readonly texts: ReadonlyMap<number, readonly unknown[]>
}> {
  const reader = await readerOfNewest(id)
  const { manifest } = reader
  const linesOf = async <Line extends readonly unknown[]>(names: readonly string[]) => {
    const lines: Line[] = []
    for (const name of names) lines.push(...(await reader.lines<Line>(name)))
    return lines
  }
  const rows = new Map<string, Map<string, readonly unknown[]>>()
  const keysOf = await inRealm({ id } as TestRealm, ({ parts: { storage } }) =>
    copiedTables(storage.sql).map(({ table, keys }) => [table, keys] as const),
  ).then((tables) => new Map(tables))
  for (const { name, columns, chunks: names } of manifest.tables) {
    const keys = keysOf.get(name)!
    const own = new Map<string, readonly unknown[]>()
    for (const values of await linesOf(names)) {
      own.set(JSON.stringify(keys.map((each) => values[columns.indexOf(each)])), values.map(plain))
    }
    rows.set(name, own)
  }
  for (const [name, key, values] of await linesOf<ChangeLine>(manifest.changes)) {
    if (values) rows.get(name)?.set(JSON.stringify(key), values.map(plain))
    else rows.get(name)?.delete(JSON.stringify(key))
  }
  const texts = new Map((await linesOf<TextLine>(manifest.texts)).map((line) => [line[0], line]))
  return { manifest, rows, texts }
}

export type Rows = ReadonlyMap<string, readonly (readonly unknown[])[]>

/** Returns the rows of an organization's object that backups have, as they are now. */
export function rowsNow(realm: TestRealm): Promise<Rows> {
  return inRealm(realm, ({ parts: { storage } }) => rowsIn(storage.sql))
}

function rowsIn(storage: SqlStorage): Rows {
  const rows = new Map<string, readonly (readonly unknown[])[]>()
  for (const { table, columns } of copiedTables(storage)) {
    const selected = columns.map((name) => `"${name}"`).join(', ')
    const found = [...storage.exec(`SELECT ${selected} FROM ${table}`).raw()]
    rows.set(
      table,
      found.map((row) => row.map(plain)),
    )
  }
  return rows
}

/** What a filled object has: rows as backups have them, tables, indexes and triggers, and the counters of ids. */
export interface Filled {
  readonly rows: Rows
  readonly schema: readonly string[]
  readonly counters: Readonly<Record<string, number>>
}

/** Fills the newest backup of an organization into an empty object, as a restore does, and returns what it has then. */
export async function fillNewest({ id }: TestRealm): Promise<Filled> {
  const reader = await readerOfNewest(id)
  const { tables, changes, schema } = reader.manifest
  objects += 1
  return runInDurableObject(realmStub(objects), async (_, { storage: { sql } }) => {
    beginFilling(sql, SCHEMA_STEPS.slice(0, schema))
    for (const table of tables)
      for (const name of table.chunks) fillRows(sql, table, await reader.lines<RowLine>(name))
    for (const name of changes) fillChanges(sql, tables, await reader.lines<ChangeLine>(name))
    endFilling(sql, SCHEMA_STEPS)
    return filledIn(sql)
  })
}

/** Objects without an organization. */
let objects = 900_000_000

/** Returns what an organization's object has. */
export function filledNow(realm: TestRealm): Promise<Filled> {
  return inRealm(realm, ({ parts: { storage } }) => filledIn(storage.sql))
}

function filledIn(storage: SqlStorage): Filled {
  const schema = storage
    .exec<{ sql: string }>(`SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*'`)
    .toArray()
  const counters = storage.exec<{ name: string; seq: number }>(`SELECT * FROM sqlite_sequence`).toArray()
  return {
    rows: rowsIn(storage),
    schema: schema.map(({ sql }) => sql).sort(),
    counters: Object.fromEntries(
      counters.filter(({ name }) => !(name in NOT_COPIED)).map(({ name, seq }) => [name, seq]),
    ),
  }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (ArrayBuffer.isView(value))
    return { b: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  return value instanceof ArrayBuffer ? { b: Buffer.from(value).toString('base64') } : value
}

export { NOT_COPIED }

/** Returns the files of an organization that the store of backups has: opened, and as they are stored. */
export async function filesIn({
  id,
}: TestRealm): Promise<readonly { readonly text: string; readonly sealed: string }[]> {
  const [store] = backupStores({ ...env, ...world.bindings })
  const sealer = await backupSealer({ ...env, ...world.settings })
  const { found } = await store!.list(fileKey(`user_uploads/${id}/`), '')
  return Promise.all(
    found.map(async ({ key }) => {
      const sealed = await bytesOf((await store!.get(key))!)
      const opened = await bytesOf(new Blob([sealed]).stream().pipeThrough(sealer.openFile()))
      return { text: new TextDecoder().decode(opened), sealed: new TextDecoder('latin1').decode(sealed) }
    }),
  )
}

/** Returns the erased people of an organization whom the stores list, as far as this SECRETS_KEY opens them. */
export async function erasuresListed({ id }: TestRealm, key: string): Promise<readonly ListedErasure[]> {
  const sealer = await backupSealer({ SECRETS_KEY: key })
  return readListedErasures(backupStores({ ...env, ...world.bindings }), sealer, id)
}
