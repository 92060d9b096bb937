import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { takeDeadLetter } from '../../store/dead-letters/dead-letter-rows.ts'

/** Removes a dead letter from the list, so that it is not tried again. Parley's own. */
export const deleteDeadLetterEndpoint = defineEndpoint({
  operation: 'delete-dead-letter',
  method: 'DELETE',
  path: '/dead_letters/:dead_letter_id',
  access: 'owner',
  params: { dead_letter_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteDeadLetter },
  audit: 'step',
})

interface DeleteDeadLetterParams {
  readonly dead_letter_id: number
}

/** Deletes a dead letter, so that it is not tried again. */
function deleteDeadLetter(
  tx: RealmTransaction,
  _caller: Caller,
  { dead_letter_id }: DeleteDeadLetterParams,
): object {
  if (!takeDeadLetter(tx.sql, dead_letter_id)) throw new NotFoundError('No such dead letter')
  return {}
}
