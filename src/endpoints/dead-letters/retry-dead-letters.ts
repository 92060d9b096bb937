import * as v from 'valibot'
import { retryDeadLetters } from '../../domain/dead-letters/retry-dead-letters.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer, json, listUpTo } from '../parameter-types.ts'

/** Retries dead letters: the named ones, or else the oldest hundred. Parley's own. */
export const retryDeadLettersEndpoint = defineEndpoint({
  operation: 'retry-dead-letters',
  method: 'POST',
  path: '/dead_letters/retry',
  access: 'owner',
  params: {
    ids: v.pipe(
      v.optional(json(listUpTo(100, integer))),
      v.description('The dead letters to send again; the oldest hundred by default.'),
    ),
  },
  returns: v.object({ retried: v.number(), remaining: v.number() }),
  command: retryDeadLetters,
  audit: 'step',
})
