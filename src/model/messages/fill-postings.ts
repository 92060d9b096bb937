import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { IDS_PER_POSTING, postNextBlock } from '../../store/messages/message-posting-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'

/** The job that stores postings of messages, a block at a time (message-posting-rows.ts). */
export const FILL_POSTINGS = 'fill-postings'

/** Schedules the job with the first message after a full block; no other pays for it. */
export function askToFillPostings(tx: RealmTransaction, id: number): void {
  if (id % IDS_PER_POSTING === 0) tx.schedule({ kind: FILL_POSTINGS, key: '', dueAt: tx.now })
}

/**
 * Fills one block. Returns when it is due again: at once while there are full blocks, and otherwise not by
 * itself.
 */
export function fillPostings(tx: RealmTransaction): number | undefined {
  return postNextBlock(tx.sql, newestMessageId(tx.sql)) ? tx.now : undefined
}
