import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { endPolls } from '../../model/users/login/end-sessions.ts'
import { deleteBrowserSession as deleteRow } from '../../store/browser-sessions/browser-session-rows.ts'

/** Logs one of the caller's browsers out. Parley's own. */
export const deleteBrowserSessionEndpoint = defineEndpoint({
  operation: 'delete-browser-session',
  method: 'DELETE',
  path: '/browser_sessions/:session_id',
  access: 'human',
  params: { session_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteBrowserSession },
  audit: 'own',
})

function deleteBrowserSession(
  tx: RealmTransaction,
  { user }: Caller,
  { session_id }: { readonly session_id: number },
): object {
  if (!deleteRow(tx.sql, user.id, session_id)) throw new BadRequestError('No such session')
  // It is not known which poll belongs to which session, so all of them reconnect.
  endPolls(tx, user.id)
  return {}
}
