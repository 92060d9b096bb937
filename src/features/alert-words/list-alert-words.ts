import { defineEndpoint } from '../../api/define-endpoint.ts'
import { alertWordList, listOwnAlertWords } from './change-alert-words.ts'

/** The caller's alert words. Source: docs/interface/users.md#alert-words. */
export const listAlertWordsEndpoint = defineEndpoint({
  operation: 'list-alert-words',
  method: 'GET',
  path: '/users/me/alert_words',
  access: 'user',
  params: {},
  returns: alertWordList,
  command: listOwnAlertWords,
})
