import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { json, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { deleteAlertWords, insertAlertWords, listAlertWords } from '../../store/personal/personal-rows.ts'

const alertWordList = v.object({ alert_words: v.array(v.string()) })
type AlertWords = v.InferOutput<typeof alertWordList>

/** Lists the caller's alert words. Source: docs/interface/users.md#alert-words. */
export const listAlertWordsEndpoint = defineEndpoint({
  operation: 'list-alert-words',
  route: 'GET /users/me/alert_words',
  access: 'user',
  returns: alertWordList,
  query: (tx, { user }): AlertWords => ({ alert_words: listAlertWords(tx.sql, user.id) }),
})

const MAX_WORD_LENGTH = 100

const alertWords = json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(MAX_WORD_LENGTH)))

/** Adds alert words and answers all of them; words that exist in any case are unchanged. Source: docs/interface/users.md#alert-words. */
export const addAlertWordsEndpoint = defineEndpoint({
  operation: 'add-alert-words',
  route: 'POST /users/me/alert_words',
  access: 'user',
  growsObject: true,
  params: { alert_words: alertWords },
  returns: alertWordList,
  apply: (tx, caller, { alert_words }): AlertWords =>
    withinQuota(tx, caller, 'alertWords', () =>
      notifyOfChange(tx, caller, insertAlertWords(tx.sql, caller.user.id, wordsOf(alert_words))),
    ),
  audit: 'own',
})

/** Removes alert words and answers the remaining ones. Source: docs/interface/users.md#alert-words. */
export const removeAlertWordsEndpoint = defineEndpoint({
  operation: 'remove-alert-words',
  route: 'DELETE /users/me/alert_words',
  access: 'user',
  params: { alert_words: alertWords },
  returns: alertWordList,
  apply: (tx, caller, { alert_words }): AlertWords =>
    notifyOfChange(tx, caller, deleteAlertWords(tx.sql, caller.user.id, wordsOf(alert_words))),
  audit: 'own',
})

function wordsOf(words: readonly string[]): string[] {
  return words.map((word) => word.trim()).filter((word) => word !== '')
}

/** Notifies the user's clients if any word has changed. */
function notifyOfChange(tx: RealmTransaction, { user }: Caller, hasChanged: boolean): AlertWords {
  const alert_words = listAlertWords(tx.sql, user.id)
  if (hasChanged) tx.emit({ type: 'alert_words', alert_words }, toUsers(user.id))
  return { alert_words }
}
