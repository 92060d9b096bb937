import { listAlertWords } from '../alert-words/alert-word-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `alert_words`: the caller's own. */
export const alertWordsSnapshot: Snapshot = (tx, { user }) => ({
  alert_words: listAlertWords(tx.sql, user.id),
})
