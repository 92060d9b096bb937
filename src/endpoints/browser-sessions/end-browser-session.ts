import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../domain/anyone.ts'
import { deleteBrowserSessionWith } from '../../domain/browser-sessions/browser-session-rows.ts'
import { endPolls } from '../../domain/users/login/end-sessions.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest } from '../step-types.ts'

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
