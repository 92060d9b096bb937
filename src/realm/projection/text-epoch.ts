import type { MemorySlot } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import type { Memory } from '../../engine/memory.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Seconds for which no copy of D1 is read after versions restart: a late copy may have another text of the same version. */
const COPIES_BEHIND_SECONDS = DAY

interface Parts {
  readonly sql: WritableSql
  readonly memory: Memory
  now(): number
}

interface TextEpoch {
  readonly epoch: string
  /** When copies of D1 may be read again (UNIX seconds). */
  readonly copiesFrom: number
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

/**
 * Makes Workers forget the texts that they keep, and read texts from D1 itself for a day: messages get versions that they may already have
 * had.
 */
export function beginTextEpoch(parts: Parts): void {
  stopReadingCopies(parts)
  parts.memory.forget([TEXT_EPOCH.name])
}

/** The same for an object that wakes afterwards. */
export function stopReadingCopies({ sql, now }: Pick<Parts, 'sql' | 'now'>): void {
  writeMeta(sql, 'd1_copies_from', Math.ceil(now()) + COPIES_BEHIND_SECONDS)
}
