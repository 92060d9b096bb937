import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { endPolls } from '../users/login/end-sessions.ts'
import { deleteBrowserSession as deleteRow } from './browser-session-rows.ts'

/** Logs one of the caller's browsers out. Parley's own. */
export const deleteBrowserSession: Command<Caller, { readonly session_id: number }, void, object> = {
  apply(tx, { user }, { session_id }) {
    if (!deleteRow(tx.sql, user.id, session_id)) throw new BadRequestError('No such session')
    // It is not known which poll belongs to which session, so all of them reconnect.
    endPolls(tx, user.id)
    return {}
  },
}
