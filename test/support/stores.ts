import { env } from 'cloudflare:test'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'

/** Everything that is stored of an organization: texts or bytes by their location. */
export type Dump = ReadonlyMap<string, string>

/** Returns all tables of the organization's object that have rows. */
export function dumpObject(realm: TestRealm): Promise<Dump> {
  return inRealm(realm, (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
      )
      .toArray()
    return new Map(
      tables.flatMap(({ name }) =>
        storage.sql
          .exec(`SELECT * FROM "${name}"`)
          .toArray()
          .map((row, at): [string, string] => [`object ${name} ${at}`, textOfRow(row)]),
      ),
    )
  })
}

/**
 * Returns the tables of D1, those of the text index included, in which a text stands in any row, of all organizations, whatever its case. D1
 * looks itself: what all tests have left is too much to be read for each question.
 */
export async function tablesOfD1With(text: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT m.name, c.name AS column FROM sqlite_master m JOIN pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*' AND m.name NOT GLOB 'sqlite_*' AND m.name <> 'd1_migrations'`,
  ).all<{ name: string; column: string }>()
  const found: string[] = []
  for (const [table, columns] of Map.groupBy(results, ({ name }) => name)) {
    const has = columns.map(
      ({ column }) => `instr(CAST(lower(CAST("${column}" AS TEXT)) AS BLOB), CAST(lower(?1) AS BLOB)) > 0`,
    )
    const row = await env.DB.prepare(`SELECT 1 FROM "${table}" WHERE ${has.join(' OR ')} LIMIT 1`)
      .bind(text)
      .first()
    if (row !== null) found.push(table)
  }
  return found
}

/** Returns the rows of D1 of one organization. */
async function dumpD1Of(realm: TestRealm): Promise<Dump> {
  const which: Record<string, string> = {
    realm: 'id = ?1',
    projection: 'realm_id = ?1',
    message_body: 'realm_id = ?1',
    message_search: 'rowid >> 32 = ?1',
    message_search_docsize: 'id >> 32 = ?1',
    account: 'realm_id = ?1',
  }
  const dump = new Map<string, string>()
  for (const [table, condition] of Object.entries(which)) {
    const columns = table === 'message_search' ? 'rowid' : '*'
    const { results } = await env.DB.prepare(`SELECT ${columns} FROM ${table} WHERE ${condition}`)
      .bind(realm.id)
      .all()
    for (const row of results)
      dump.set(`D1 ${table} ${Object.values(row)[0]} ${Object.values(row)[1]}`, textOfRow(row))
  }
  return dump
}

/** The prefixes of the organizations' files in R2. */
const PREFIXES = ['user_uploads', 'images', 'exports']

/** Returns every file in R2 by name; with `realm`, only those of one organization. */
export async function dumpFiles(realm?: TestRealm): Promise<Dump> {
  const dump = new Map<string, string>()
  for (const prefix of realm ? PREFIXES.map((prefix) => `${prefix}/${realm.id}/`) : ['']) {
    for (let cursor: string | undefined, isMore = true; isMore; ) {
      const page = await env.UPLOADS.list({ prefix, cursor })
      for (const { key } of page.objects) {
        const stored = await env.UPLOADS.get(key)
        dump.set(`R2 ${key}`, textOfBytes(new Uint8Array(await stored!.arrayBuffer())))
      }
      isMore = page.truncated
      cursor = page.truncated ? page.cursor : undefined
    }
  }
  return dump
}

/** Returns everything stored of one organization. */
export async function dumpRealm(realm: TestRealm): Promise<Dump> {
  return new Map([...(await dumpObject(realm)), ...(await dumpD1Of(realm)), ...(await dumpFiles(realm))])
}

/** Returns the bytes as text, one character each, as texts searched for are encoded. */
function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

function textOfRow(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => {
      if (value instanceof ArrayBuffer) return textOfBytes(new Uint8Array(value))
      return Array.isArray(value) ? textOfBytes(new Uint8Array(value as number[])) : String(value)
    })
    .join('\n')
}

/** Returns whether D1 still lists an organization at its host. */
export async function isListed({ host }: TestRealm): Promise<boolean> {
  return (await env.DB.prepare(`SELECT 1 FROM realm WHERE host = ?`).bind(host).first()) !== null
}

/** Returns the locations that contain a text in their name or content, whatever its case. */
export function locationsWith(dump: Dump, text: string): string[] {
  const wanted = text.toLowerCase()
  return [...dump].flatMap(([location, content]) =>
    `${location}\n${content}`.toLowerCase().includes(wanted) ? [location] : [],
  )
}
