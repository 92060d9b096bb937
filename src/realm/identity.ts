import type { RealmIdentity } from '../core/realm-transaction.ts'

/** Who this object is: written once, when the organization is founded. */
export function readIdentity(storage: SqlStorage): RealmIdentity | undefined {
  const [row] = storage.exec<{ value: string }>(`SELECT value FROM meta WHERE key = 'identity'`).toArray()
  return row && (JSON.parse(row.value) as RealmIdentity)
}

export function writeIdentity(storage: SqlStorage, identity: RealmIdentity): void {
  storage.exec(`INSERT OR IGNORE INTO meta (key, value) VALUES ('identity', ?)`, JSON.stringify(identity))
}
