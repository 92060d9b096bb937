import { BadRequestError } from '../core/errors.ts'
import { writeOnce } from './d1-failure.ts'
import { readPatiently } from './read-patiently.ts'

/** The list of realms: which organization answers at which host name. */
export interface RealmRecord {
  readonly id: number
  readonly host: string
  readonly stringId: string
  readonly name: string
  /** UNIX seconds. */
  readonly createdAt: number
}

interface RealmRow {
  id: number
  host: string
  string_id: string
  name: string
  created_at: number
}

export async function findRealmByHost(db: D1Database, host: string): Promise<RealmRecord | undefined> {
  const query = db.prepare(`SELECT * FROM realm WHERE host = ?`).bind(host)
  const row = await readPatiently(() => query.first<RealmRow>())
  return row ? realmOf(row) : undefined
}

/** Rejects when D1 cannot be read. */
export async function probeRealms(db: D1Database): Promise<void> {
  await db.prepare(`SELECT id FROM realm LIMIT 1`).first()
}

export async function isShortNameTaken(db: D1Database, name: string): Promise<boolean> {
  const query = db.prepare(`SELECT 1 FROM realm WHERE string_id = ?`).bind(name)
  return (await readPatiently(() => query.first())) !== null
}

/** Enters a realm, or gives the one that is at this host already: founding can be repeated after a crash. */
export async function enterRealm(db: D1Database, realm: Omit<RealmRecord, 'id'>): Promise<RealmRecord> {
  const entry = db
    .prepare(`INSERT OR IGNORE INTO realm (host, string_id, name, created_at) VALUES (?, ?, ?, ?)`)
    .bind(realm.host, realm.stringId, realm.name, realm.createdAt)
  await writeOnce(() => entry.run())
  const entered = await findRealmByHost(db, realm.host)
  if (!entered) throw new BadRequestError(`The short name ${realm.stringId} is taken`)
  const projection = db
    .prepare(`INSERT OR IGNORE INTO projection (realm_id, applied) VALUES (?, 0)`)
    .bind(entered.id)
  await writeOnce(() => projection.run())
  return entered
}

function realmOf(row: RealmRow): RealmRecord {
  return { id: row.id, host: row.host, stringId: row.string_id, name: row.name, createdAt: row.created_at }
}
