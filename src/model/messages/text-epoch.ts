import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/**
 * Seconds for which no copy of D1 is read after versions have begun to be counted anew. A copy may be behind, and still have what a
 * version was before; much less is usual.
 */
const COPIES_BEHIND_SECONDS = DAY

export interface TextEpoch {
  epoch: string
  /** Time from which on copies of D1 may be read (UNIX seconds). */
  copiesFrom: number
}

/**
 * While the epoch is the same, a version of a message is one text, and a Worker may keep it. Each start of the object begins
 * a new one: an object that is restored from a copy starts again, and then counts versions anew that others have seen.
 */
export const TEXT_EPOCH: MemorySlot<TextEpoch> = {
  name: 'text-epoch',
  load: (sql) => ({
    epoch: crypto.randomUUID(),
    copiesFrom: readMeta<number>(sql, 'd1_copies_from') ?? 0,
  }),
}

/** Makes Workers forget the texts that they keep, since a message gets a version that it may have had before. */
export function beginTextEpoch(tx: RealmTransaction): void {
  const now = tx.recallToChange(TEXT_EPOCH)
  now.epoch = tx.randomHex(16)
  now.copiesFrom = avoidCopies(tx.sql, tx.now)
}

/**
 * Makes Workers read texts from D1 itself for a while, and keep none. Returns when that ends. A caller that keeps the
 * epoch in memory has to invalidate it.
 */
export function avoidCopies(sql: WritableSql, now: number): number {
  const copiesFrom = Math.ceil(now) + COPIES_BEHIND_SECONDS
  writeMeta(sql, 'd1_copies_from', copiesFrom)
  return copiesFrom
}
