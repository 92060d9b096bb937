import { fromJson, type JsonText } from '../core/json.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'

/** The identity of this object's organization: written once, when it is founded. */
export function readIdentity(storage: SqlStorage): RealmIdentity | undefined {
  const [row] = storage
    .exec<{ value: JsonText<RealmIdentity> }>(`SELECT value FROM meta WHERE key = 'identity'`)
    .toArray()
  return row && fromJson(row.value)
}

export function writeIdentity(storage: SqlStorage, identity: RealmIdentity): void {
  storage.exec(`INSERT OR IGNORE INTO meta (key, value) VALUES ('identity', ?)`, JSON.stringify(identity))
}

/** Has anything ever been kept here, or was all of it deleted? An object without storage is to stay so. */
export function hasStorage(storage: SqlStorage): boolean {
  return storage.exec(`SELECT 1 FROM sqlite_master WHERE name = 'meta'`).toArray().length > 0
}

/** The time since which the organization is being deleted (UNIX seconds); undefined while it lives. */
export function deletionBegunAt(storage: SqlStorage): number | undefined {
  const [row] = storage
    .exec<{ value: number }>(`SELECT value FROM meta WHERE key = 'deletion_begun'`)
    .toArray()
  return row?.value
}

/** The organization is gone but for what is found of it elsewhere: that is deleted from now on. */
export function writeDeletionBegun(storage: SqlStorage, now: number): void {
  storage.exec(`INSERT OR IGNORE INTO meta (key, value) VALUES ('deletion_begun', ?)`, Math.floor(now))
}
