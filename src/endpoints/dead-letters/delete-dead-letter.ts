import * as v from 'valibot'
import { deleteDeadLetter } from '../../domain/dead-letters/delete-dead-letter.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Removes a dead letter from the list, so that it is not tried again. Parley's own. */
export const deleteDeadLetterEndpoint = defineEndpoint({
  operation: 'delete-dead-letter',
  method: 'DELETE',
  path: '/dead_letters/:dead_letter_id',
  access: 'owner',
  params: { dead_letter_id: pathInteger },
  returns: v.object({}),
  command: deleteDeadLetter,
  audit: 'step',
})
