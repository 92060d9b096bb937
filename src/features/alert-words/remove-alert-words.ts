import { defineEndpoint } from '../../api/define-endpoint.ts'
import { alertWordList, alertWords, removeAlertWords } from './change-alert-words.ts'

/** Removes alert words; answers those that remain. Source: docs/interface/users.md#alert-words. */
export const removeAlertWordsEndpoint = defineEndpoint({
  operation: 'remove-alert-words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  access: 'user',
  params: { alert_words: alertWords },
  returns: alertWordList,
  command: removeAlertWords,
  audit: 'own',
})
