import type { Endpoint } from '../../api/define-endpoint.ts'
import { deleteDeadLetterEndpoint } from './delete-dead-letter.ts'
import { getDeadLettersEndpoint } from './get-dead-letters.ts'
import { retryDeadLettersEndpoint } from './retry-dead-letters.ts'

export const DEAD_LETTER_ENDPOINTS: readonly Endpoint[] = [
  deleteDeadLetterEndpoint,
  getDeadLettersEndpoint,
  retryDeadLettersEndpoint,
]
