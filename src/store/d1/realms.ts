import { BadRequestError } from '../../core/errors.ts'
import { Rows } from '../select-rows.ts'
import { fromNearest, fromPrimary, readPatiently, writeOnce } from './ask-d1.ts'

/** The list of realms: which organization answers at which host name. */
export interface RealmRecord {
  readonly id: number
  readonly host: string
  readonly stringId: string
  readonly name: string
  /** UNIX seconds. */
  readonly createdAt: number
  /** The platform's hint for the location of its object; null: where its founder was. */
  readonly location: string | null
  /** The jurisdiction in which its object has to stay, and which is needed to find it. Null: anywhere. */
  readonly jurisdiction: string | null
  /** The time after which its data is to be deleted (UNIX seconds); null: never. */
  readonly deleteAfter: number | null
}

/** The facts by which a realm's object is found. */
export type RealmAddress = Pick<RealmRecord, 'id' | 'location' | 'jurisdiction'>

/** Facts with which a realm is entered. */
export type NewRealm = Omit<RealmRecord, 'id' | 'deleteAfter'>

const { columns: COLUMNS } = new Rows<RealmRecord>(
  'realm',
  'id host string_id name created_at location jurisdiction delete_after',
)
const BY_HOST = `SELECT ${COLUMNS} FROM realm WHERE host = ?`

export async function findRealmByHost(db: D1Database, host: string): Promise<RealmRecord | undefined> {
  const row = await fromPrimary(db, (from) => from.prepare(BY_HOST).bind(host).first<RealmRecord>())
  return row ?? undefined
}

export async function findRealmById(db: D1Database, id: number): Promise<RealmRecord | undefined> {
  const query = db.prepare(`SELECT ${COLUMNS} FROM realm WHERE id = ?`).bind(id)
  const row = await readPatiently(() => query.first<RealmRecord>())
  return row ?? undefined
}

/** Returns what D1 says of a realm that its object decides: its name, and 1 if it is closed. */
export async function readListed(
  db: D1Database,
  id: number,
): Promise<readonly [name: string, isClosed: number] | undefined> {
  const query = db.prepare(`SELECT name, is_closed FROM realm WHERE id = ?`).bind(id)
  const row = await readPatiently(() => query.first<{ name: string; is_closed: number }>())
  return row ? [row.name, row.is_closed] : undefined
}

/** Finds a realm in the nearest copy of D1, which may lack the latest changes. If the copy has no such realm, the primary is asked. */
export async function findRealmNear(db: D1Database, host: string): Promise<RealmRecord | undefined> {
  const row = await fromNearest(db, (from) => from.prepare(BY_HOST).bind(host).first<RealmRecord>())
  return row ?? findRealmByHost(db, host)
}

/** Lists realms whose data should have been deleted before `time` (UNIX seconds), the longest overdue first. */
export async function listOverdueRealms(
  db: D1Database,
  time: number,
  limit: number,
): Promise<readonly RealmRecord[]> {
  const query = db
    .prepare(`SELECT ${COLUMNS} FROM realm WHERE delete_after < ? ORDER BY delete_after LIMIT ?`)
    .bind(Math.floor(time), limit)
  const { results } = await readPatiently(() => query.all<RealmRecord>())
  return results
}

/** Lists some realms of which D1 has no account. Any of them, so that one that cannot be woken stands in no other's way. */
export async function listRealmsWithoutAccounts(
  db: D1Database,
  limit: number,
): Promise<readonly RealmRecord[]> {
  const query = db
    .prepare(
      `SELECT ${COLUMNS} FROM realm WHERE NOT EXISTS (SELECT 1 FROM account WHERE realm_id = realm.id)
       ORDER BY random() LIMIT ?`,
    )
    .bind(limit)
  const { results } = await readPatiently(() => query.all<RealmRecord>())
  return results
}

/** Lists organizations of the deployment. */
export async function listRealms(db: D1Database, limit: number): Promise<readonly RealmAddress[]> {
  const query = db.prepare(`SELECT id, location, jurisdiction FROM realm LIMIT ?`).bind(limit)
  return (await readPatiently(() => query.all<RealmAddress>())).results
}

/** Counts the organizations of the deployment, up to `limit`. */
export async function countRealms(db: D1Database, limit: number): Promise<number> {
  const query = db.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM realm LIMIT ?)`).bind(limit)
  return (await readPatiently(() => query.first<{ n: number }>()))?.n ?? 0
}

/** Checks that D1 can be read; rejects otherwise. */
export async function probeRealms(db: D1Database): Promise<void> {
  await db.prepare(`SELECT id FROM realm LIMIT 1`).first()
}

export interface MeasuredD1 {
  readonly size_bytes: number
  readonly organizations: number
  /** Region in which it has answered, and whether it was the primary; null where the platform does not say. */
  readonly region: string | null
  readonly is_primary: boolean | null
}

/** Measures the whole database and counts its organizations. Rejects when D1 cannot be read. */
export async function measureD1(db: D1Database): Promise<MeasuredD1> {
  const { results, meta } = await db.prepare(`SELECT COUNT(*) AS n FROM realm`).all<{ n: number }>()
  const { size_after: size_bytes, served_by_region: region = null, served_by_primary = null } = meta
  return { size_bytes, organizations: results[0]!.n, region, is_primary: served_by_primary }
}

export async function isShortNameTaken(db: D1Database, name: string): Promise<boolean> {
  const query = db.prepare(`SELECT 1 FROM realm WHERE string_id = ?`).bind(name)
  return (await readPatiently(() => query.first())) !== null
}

/**
 * Enters a realm, or returns the one that is at this host already, so that founding can be repeated after a crash.
 * @throws BadRequestError when the short name is another's, or the host belongs to an organization that is yet to be deleted.
 */
export async function insertRealm(db: D1Database, realm: NewRealm): Promise<RealmRecord> {
  const entry = db
    .prepare(
      `INSERT OR IGNORE INTO realm (host, string_id, name, created_at, location, jurisdiction)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(realm.host, realm.stringId, realm.name, realm.createdAt, realm.location, realm.jurisdiction)
  await writeOnce(() => entry.run())
  const entered = await findRealmByHost(db, realm.host)
  if (!entered) throw new BadRequestError(`The short name ${realm.stringId} is taken`)
  if (entered.deleteAfter !== null) {
    throw new BadRequestError('An organization whose data is yet to be deleted is still at this host')
  }
  // Inserts nothing if the realm has been deleted since.
  const projection = db
    .prepare(`INSERT OR IGNORE INTO projection (realm_id, applied) SELECT id, 0 FROM realm WHERE id = ?`)
    .bind(entered.id)
  await writeOnce(() => projection.run())
  return entered
}

/**
 * Lists a realm that has given up its host, and is being deleted, under a host that no request can name; its short name is free too. `now` in UNIX
 * seconds.
 */
export async function freeHost(
  db: D1Database,
  { id, host }: Pick<RealmRecord, 'id' | 'host'>,
  now: number,
): Promise<void> {
  const change = db
    .prepare(`UPDATE realm SET host = ?3, string_id = ?3, delete_after = ?4 WHERE id = ?1 AND host = ?2`)
    .bind(id, host, hostGivenUp(id), Math.floor(now))
  await writeOnce(() => change.run())
}

/** Lists a realm at another host. Nothing happens if it is there already. */
export async function moveRealm(
  db: D1Database,
  { id, host }: Pick<RealmRecord, 'id' | 'host'>,
  to: string,
): Promise<void> {
  const change = db.prepare(`UPDATE realm SET host = ? WHERE id = ? AND host = ?`).bind(to, id, host)
  await writeOnce(() => change.run())
}

/** Returns what is listed in place of a host that was given up. */
export function hostGivenUp(id: number): string {
  return `given up: ${id}`
}

/** Enters a realm under its old id, after D1 was restored from a copy that is older than the organization. */
export async function insertRealmAgain(
  db: D1Database,
  realm: Omit<RealmRecord, 'deleteAfter' | 'location' | 'jurisdiction'> &
    Partial<Pick<RealmRecord, 'location' | 'jurisdiction'>>,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT OR IGNORE INTO realm (id, host, string_id, name, created_at, location, jurisdiction)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        ...[realm.id, realm.host, realm.stringId, realm.name, realm.createdAt],
        ...[realm.location ?? null, realm.jurisdiction ?? null],
      ),
    // Inserts nothing if the id or the host belongs to another organization by now.
    db
      .prepare(
        `INSERT OR IGNORE INTO projection (realm_id, applied) SELECT id, 0 FROM realm WHERE id = ? AND host = ?`,
      )
      .bind(realm.id, realm.host),
  ])
}

export interface PresentedTicket {
  /** Lower-case hex SHA-256 of the ticket. */
  readonly digest: string
  /** Host of the organization that it is presented for: a ticket names one host, and is valid for no other. */
  readonly host: string
}

/**
 * Uses up a one-time ticket for founding an organization. Returns false when there is none for this host, or
 * it is too old. `now` in UNIX seconds.
 */
export async function useOrganizationTicket(
  db: D1Database,
  { digest, host }: PresentedTicket,
  now: number,
): Promise<boolean> {
  const removal = db
    .prepare(
      `DELETE FROM organization_ticket WHERE digest = ? AND host = ? RETURNING created_at + valid_seconds AS until`,
    )
    .bind(digest, host)
  const { results } = await writeOnce(() => removal.run<{ until: number }>())
  const ticket = results[0]
  return ticket !== undefined && ticket.until > now
}

/** Enters a one-time ticket. `createdAt` in UNIX seconds. */
export async function insertOrganizationTicket(
  db: D1Database,
  { digest, host }: PresentedTicket,
  { createdAt, validSeconds }: { readonly createdAt: number; readonly validSeconds: number },
): Promise<void> {
  const entry = db
    .prepare(
      `INSERT OR IGNORE INTO organization_ticket (digest, host, created_at, valid_seconds) VALUES (?, ?, ?, ?)`,
    )
    .bind(digest, host, Math.floor(createdAt), validSeconds)
  await writeOnce(() => entry.run())
}

/** Whether this ticket is valid; using it is not part of the check. `now` in UNIX seconds. */
export async function isOrganizationTicket(
  db: D1Database,
  { digest, host }: PresentedTicket,
  now: number,
): Promise<boolean> {
  const query = db
    .prepare(
      `SELECT created_at + valid_seconds AS until FROM organization_ticket WHERE digest = ? AND host = ?`,
    )
    .bind(digest, host)
  const ticket = await readPatiently(() => query.first<{ until: number }>())
  return ticket !== null && ticket.until > now
}

/** Deletes unused tickets that are too old. `now` in UNIX seconds. */
export async function deleteOldTickets(db: D1Database, now: number): Promise<void> {
  const removal = db
    .prepare(`DELETE FROM organization_ticket WHERE created_at + valid_seconds <= ?`)
    .bind(Math.floor(now))
  await writeOnce(() => removal.run())
}
