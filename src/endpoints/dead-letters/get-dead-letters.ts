import * as v from 'valibot'
import { getDeadLetters } from '../../domain/dead-letters/get-dead-letters.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/**
 * Lists what the organization has given up sending or doing: mail, calls of webhooks, notifications on devices, previews of websites, its
 * own jobs. Parley's own.
 */
export const getDeadLettersEndpoint = defineEndpoint({
  operation: 'get-dead-letters',
  method: 'GET',
  path: '/dead_letters',
  access: 'owner',
  params: {},
  returns: v.object({
    dead_letters: v.array(
      v.object({
        id: v.number(),
        kind: v.string(),
        description: v.string(),
        first_attempt: v.number(),
        last_attempt: v.number(),
        attempts: v.number(),
        error: v.string(),
      }),
    ),
  }),
  command: getDeadLetters,
})
