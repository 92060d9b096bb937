import { defineEndpoint } from '../../api/define-endpoint.ts'
import { addAlertWords, alertWordList, alertWords } from './change-alert-words.ts'

/** Adds alert words; answers all of them. Source: docs/interface/users.md#alert-words. */
export const addAlertWordsEndpoint = defineEndpoint({
  operation: 'add-alert-words',
  method: 'POST',
  path: '/users/me/alert_words',
  access: 'user',
  growsObject: true,
  params: { alert_words: alertWords },
  returns: alertWordList,
  command: addAlertWords,
  audit: 'own',
})
