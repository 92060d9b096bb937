import type { Command } from '../../core/command.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { takeDeadLetter } from './dead-letter-rows.ts'

export interface DeleteDeadLetterParams {
  readonly dead_letter_id: number
}

/** Deletes a dead letter, so that it is not tried again. */
export const deleteDeadLetter: Command<Caller, DeleteDeadLetterParams, void, object> = {
  apply(tx, _caller, { dead_letter_id }) {
    if (!takeDeadLetter(tx.sql, dead_letter_id)) throw new NotFoundError('No such dead letter')
    return {}
  },
}
