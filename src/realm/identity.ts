import { fromJson, type JsonText } from '../core/json.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'

/** Returns the identity of this object's organization: written when it is founded. Only its host may change. */
export function readIdentity(storage: SqlStorage): RealmIdentity | undefined {
  const [row] = storage
    .exec<{ value: JsonText<RealmIdentity> }>(`SELECT value FROM meta WHERE key = 'identity'`)
    .toArray()
  return row && fromJson(row.value)
}

export function writeIdentity(storage: SqlStorage, identity: RealmIdentity): void {
  storage.exec(`INSERT OR IGNORE INTO meta (key, value) VALUES ('identity', ?)`, JSON.stringify(identity))
}

/** Writes the host to which the organization moves. */
export function writeHost(storage: SqlStorage, identity: RealmIdentity, host: string): void {
  storage.exec(`UPDATE meta SET value = ? WHERE key = 'identity'`, JSON.stringify({ ...identity, host }))
}

/** Whether the object has storage. False also after a deletion, when it must not get any. */
export function hasStorage(storage: SqlStorage): boolean {
  return storage.exec(`SELECT 1 FROM sqlite_master WHERE name = 'meta'`).toArray().length > 0
}

/** Returns when the deletion of the organization began (UNIX seconds); undefined if it has not. */
export function deletionBegunAt(storage: SqlStorage): number | undefined {
  const [row] = storage
    .exec<{ value: number }>(`SELECT value FROM meta WHERE key = 'deletion_begun'`)
    .toArray()
  return row?.value
}

/** Whether the deletion has begun since another organization takes the host. */
export function isHostGivenUp(storage: SqlStorage): boolean {
  return storage.exec(`SELECT 1 FROM meta WHERE key = 'host_given_up'`).toArray().length > 0
}

/** Records that the deletion has begun: only what is stored elsewhere is left. */
export function writeDeletionBegun(storage: SqlStorage, now: number): void {
  storage.exec(`INSERT OR IGNORE INTO meta (key, value) VALUES ('deletion_begun', ?)`, Math.floor(now))
}
