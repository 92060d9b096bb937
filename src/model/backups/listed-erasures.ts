import type { BackupStore } from '../../core/backup-store.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import { log } from '../../core/log.ts'
import type { BackupSealer } from '../../core/sealed-backup.ts'
import type { Erasure } from '../../store/erasure/erasure-rows.ts'
import { DamagedBackupError, readFirst } from './chunk-store.ts'

/** An erased person as the stores of backups list them, so that a restore erases them again: in a backup from before they are as they were. */
export type ListedErasure = Pick<Erasure, 'userId' | 'askedAt' | 'messages'>

function folderOf(realmId: number): string {
  return `erasures/${realmId}/`
}

/** Adds a person to the list of each store, sealed. */
export async function listErasure(
  stores: readonly BackupStore[],
  sealer: BackupSealer,
  realmId: number,
  { userId, askedAt, messages }: ListedErasure,
): Promise<void> {
  const listed: ListedErasure = { userId, askedAt, messages }
  const sealed = await sealer.seal(new TextEncoder().encode(JSON.stringify(listed)))
  for (const store of stores)
    await store.put(`${folderOf(realmId)}${userId}-${messages}`, sealed, sealed.length)
}

/** Returns all that any of the stores lists for an organization. */
export async function readListedErasures(
  stores: readonly BackupStore[],
  sealer: BackupSealer,
  realmId: number,
): Promise<readonly ListedErasure[]> {
  const keys = new Set<string>()
  for (const store of stores)
    for (let after = '', hasMore = true; hasMore; ) {
      const listed = await store.list(folderOf(realmId), after)
      for (const { key } of listed.found) keys.add(key)
      after = listed.found.at(-1)?.key ?? ''
      hasMore = listed.hasMore
    }
  const read: ListedErasure[] = []
  for (const key of [...keys].sort()) {
    const reading = readFirst(stores, key, async (stored) =>
      fromJson(new TextDecoder().decode(await sealer.open(stored)) as JsonText<ListedErasure>),
    )
    try {
      read.push(await reading)
    } catch (error) {
      if (!(error instanceof DamagedBackupError)) throw error
      // An organization that can never be opened again would help nobody.
      log('error', 'an erased person in the store of backups cannot be read', { key, error: String(error) })
    }
  }
  return read
}
