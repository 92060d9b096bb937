import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Seconds for which no copy of D1 is read after versions restart: a late copy may have another text of the same version. */
const COPIES_BEHIND_SECONDS = DAY

interface TextEpoch {
  epoch: string
  /** When copies of D1 may be read again (UNIX seconds). */
  copiesFrom: number
}

/**
 * Within an epoch, a version of a message is one text, which a Worker may keep. Each start of the object begins a new
 * epoch: an object that is restored from a backup gives out versions again that others have seen.
 */
export const TEXT_EPOCH: MemorySlot<TextEpoch> = {
  name: 'text-epoch',
  load: (sql) => ({
    epoch: crypto.randomUUID(),
    copiesFrom: readMeta<number>(sql, 'd1_copies_from') ?? 0,
  }),
}

/** Makes Workers forget the texts that they keep, since a message gets a version that it may already have had. */
export function beginTextEpoch(tx: RealmTransaction): void {
  const now = tx.recallToChange(TEXT_EPOCH)
  now.epoch = tx.randomHex(16)
  now.copiesFrom = avoidCopies(tx.sql, tx.now)
}

/** Makes Workers read texts from D1 itself until the returned UNIX seconds. An epoch in memory must be invalidated too. */
export function avoidCopies(sql: WritableSql, now: number): number {
  const copiesFrom = Math.ceil(now) + COPIES_BEHIND_SECONDS
  writeMeta(sql, 'd1_copies_from', copiesFrom)
  return copiesFrom
}
