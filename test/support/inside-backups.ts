import { env } from 'cloudflare:test'
import { backupStores } from '../../src/core/backup-store.ts'
import { fromJson, type JsonText } from '../../src/core/json.ts'
import { backupSealer } from '../../src/core/sealed-backup.ts'
import { fileKey, type Manifest, manifestFolder } from '../../src/model/backups/backup-form.ts'
import { bytesOf, ChunkStore, expanded } from '../../src/model/backups/chunk-store.ts'
import { copiedTables } from '../../src/store/backups/copied-tables.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/** Opens the newest backup of an organization: its manifest, and its rows by table, as a restore would write them. */
export async function openNewestBackup({ id }: TestRealm): Promise<{
  readonly manifest: Manifest
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>
  readonly texts: ReadonlyMap<number, readonly unknown[]>
}> {
  const [store] = backupStores({ ...env, ...world.bindings })
  const sealer = await backupSealer({ ...env, ...world.settings })
  const { found } = await store!.list(manifestFolder(id), '')
  const stream = await store!.get(found.at(-1)!.key)
  const text = new TextDecoder().decode(await expanded(await sealer.open(await bytesOf(stream!))))
  const manifest = fromJson(text as JsonText<Manifest>)
  const chunks = new ChunkStore([store!], sealer, id)
  const linesOf = async (names: readonly string[]) => {
    const lines: unknown[][] = []
    for (const name of names) {
      const content = new TextDecoder().decode(await chunks.get(name))
      for (const line of content.split('\n')) lines.push(fromJson(line as JsonText<unknown[]>))
    }
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
      const key = keys[0] === 'rowid' ? [own.size + 1] : keys.map((each) => values[columns.indexOf(each)])
      own.set(JSON.stringify(key), values)
    }
    rows.set(name, own)
  }
  for (const [name, key, values] of (await linesOf(manifest.changes)) as [
    string,
    unknown[],
    unknown[] | null,
  ][]) {
    if (values) rows.get(name)?.set(JSON.stringify(key), values)
    else rows.get(name)?.delete(JSON.stringify(key))
  }
  const texts = new Map((await linesOf(manifest.texts)).map((line) => [Number(line[0]), line]))
  return { manifest, rows, texts }
}

/** Returns the rows of an organization's object that backups have, as they are now. */
export function rowsNow(realm: TestRealm): Promise<ReadonlyMap<string, readonly (readonly unknown[])[]>> {
  return inRealm(realm, ({ parts: { storage } }) => {
    const rows = new Map<string, readonly (readonly unknown[])[]>()
    for (const { table, columns } of copiedTables(storage.sql))
      rows.set(
        table,
        [
          ...storage.sql.exec(`SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM ${table}`).raw(),
        ].map((row) => row.map(plain)),
      )
    return rows
  })
}

function plain(value: unknown): unknown {
  return value instanceof ArrayBuffer ? { b: Buffer.from(value).toString('base64') } : value
}

export { NOT_COPIED } from '../../src/store/backups/copied-tables.ts'

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
