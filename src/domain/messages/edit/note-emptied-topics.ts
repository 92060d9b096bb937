import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { keepForATime } from '../../retention/forget-old-job.ts'
import { newestMessageOfTopic } from '../message-rows.ts'
import { putEmptiedTopic } from './emptied-topic-rows.ts'

/** Topics may have lost their last message: the names of those go by themselves, unless they are written to in time. */
export function noteEmptiedTopics(tx: RealmTransaction, topicIds: Iterable<number>): void {
  for (const id of topicIds) {
    if (id <= 0 || newestMessageOfTopic(tx.sql, id) !== undefined) continue
    putEmptiedTopic(tx.sql, id, tx.now)
    keepForATime(tx)
  }
}
