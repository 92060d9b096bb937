import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import {
  type ListedErasure,
  listErasure,
  readListedErasures,
} from '../../../model/backups/listed-erasures.ts'
import { beginErasure } from '../../../model/erasure/begin-erasure.ts'
import { erasing } from '../../../model/erasure/erase-next.ts'
import {
  changeErasure,
  erasuresSince,
  lastErasureOf,
  listUnlisted,
} from '../../../store/erasure/erasure-rows.ts'
import { findLeft } from '../../../store/open-changes/continuation-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'

/** Erasures that one run of the job lists. */
const LISTED_AT_ONCE = 20

/** Adds erased people to the lists in the stores of backups, which survive a restore. */
export async function listErasures(runtime: JobRuntime): Promise<NextTime> {
  const { stores } = runtime.backups
  const unlisted = listUnlisted(runtime.sql, LISTED_AT_ONCE)
  if (stores.length === 0 || unlisted.length === 0) return undefined
  const sealer = await runtime.backups.sealer()
  for (const erasure of unlisted) {
    await listErasure(stores, sealer, runtime.realm.id, erasure)
    runtime.change(({ sql, now }) => changeErasure(sql, erasure.id, { listedAt: now }))
  }
  return runtime.now()
}

/**
 * Erases again whom the stores list, or the organization's own certificates, which a restore leaves alone, after a backup of the organization was filled in, with its texts: the first commit of each is made here, before
 * anybody may read, and jobs make the rest. May run again. `realmId`, `takenAt`: the organization, and the moment, of the backup.
 */
export async function applyListedErasures(
  runtime: JobRuntime,
  realmId: number,
  takenAt: number,
): Promise<void> {
  const { sql, backups } = runtime
  const listed = await readListedErasures(backups.stores, await backups.sealer(), realmId)
  const since: readonly ListedErasure[] = [
    ...listed.filter(({ askedAt }) => askedAt > takenAt),
    ...erasuresSince(sql, takenAt),
  ]
  for (const ofPerson of Map.groupBy(since, ({ userId }) => userId).values())
    runtime.change((tx) => eraseAgain(tx, ofPerson))
}

function eraseAgain(tx: RealmTransaction, listed: readonly ListedErasure[]): void {
  const { userId } = listed[0]!
  const user = findUser(tx.sql, userId)
  if (!user || findLeft(tx.sql, erasing, String(userId))) return
  const last = lastErasureOf(tx.sql, userId)
  // The one that was under way goes over into this one.
  if (last?.finishedAt === null) changeErasure(tx.sql, last.id, { finishedAt: tx.now })
  const messages = listed.some((one) => one.messages === 'remove') ? 'remove' : 'keep'
  beginErasure(tx, user, { askedBy: null, askedAt: tx.now, messages })
}
