import type { Endpoint } from '../../api/define-endpoint.ts'
import { addAlertWordsEndpoint } from './add-alert-words.ts'
import { listAlertWordsEndpoint } from './list-alert-words.ts'
import { removeAlertWordsEndpoint } from './remove-alert-words.ts'

export const ALERT_WORD_ENDPOINTS: readonly Endpoint[] = [
  addAlertWordsEndpoint,
  listAlertWordsEndpoint,
  removeAlertWordsEndpoint,
]
