import { defineStep } from '../../api/define-endpoint.ts'
import { digest } from '../../api/step-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import { endPolls } from '../../model/users/login/end-sessions.ts'
import { deleteBrowserSessionWith } from '../../store/browser-sessions/browser-session-rows.ts'

/** Logs a browser out. The owner of the token may, even of a closed account; an unknown token ends nothing. */
export const endBrowserSessionStep = defineStep({
  operation: 'end-browser-session',
  access: 'anyone',
  params: { digest },
  command: { apply: endBrowserSession },
  audit: 'own',
})

function endBrowserSession(
  tx: RealmTransaction,
  _anyone: Anyone,
  { digest }: { readonly digest: string },
): object {
  const userId = deleteBrowserSessionWith(tx.sql, digest)
  // It is not known which poll belongs to which session, so all of them reconnect.
  if (userId !== undefined) endPolls(tx, userId)
  return {}
}
