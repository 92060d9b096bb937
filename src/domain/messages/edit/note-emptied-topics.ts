import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { keepForATime } from '../../retention/forget-old-job.ts'
import { newestMessageOfTopic } from '../message-rows.ts'
import { putEmptiedTopic } from './emptied-topic-rows.ts'

/**
 * Records topics that may have lost their last message: their names are deleted later, unless somebody writes
 * to them in time.
 */
export function noteEmptiedTopics(tx: RealmTransaction, topicIds: Iterable<number>): void {
  for (const id of topicIds) {
    if (id <= 0 || newestMessageOfTopic(tx.sql, id) !== undefined) continue
    putEmptiedTopic(tx.sql, id, tx.now)
    keepForATime(tx)
  }
}
