import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { nonNegativeInteger } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { changeApiKey } from '../../model/accounts/login/api-key.ts'
import { requireProviderOn } from '../../model/login-providers/find-login-provider.ts'
import { endPolls, endSessions } from '../../model/users/login/sessions.ts'
import { deleteBrowserSessionsAt } from '../../store/browser-sessions/browser-session-rows.ts'
import {
  findLoginIdentity,
  noteLogoutOf,
  takeKeysOfSession,
} from '../../store/login-providers/login-provider-rows.ts'
import { deleteLoginTicketsAt, deleteLoginTicketsOf } from '../../store/users/login/login-ticket-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { atHand } from './log-in-with-provider.ts'

/**
 * Ends what a provider has logged out, when it posts so. With a session: its browsers, a pending log-in of the desktop app, and the key if
 * an app got it in that session. Without one: everything that is logged in to the account. A repetition ends nothing more. Source:
 * docs/interface/login.md#logged-out-by-the-provider.
 */
export const logOutByProviderStep = defineStep({
  operation: 'log-out-by-provider',
  access: 'anyone',
  params: {
    ...atHand,
    subject: v.nullable(entered),
    sid: v.nullable(entered),
    said_at: nonNegativeInteger,
  },
  apply(tx, _anyone, params) {
    const { subject, sid, said_at } = params
    const provider = requireProviderOn(tx.sql, params)
    if (sid !== null) return { user_ids: endSessionAt(tx, { providerId: provider.id, sid }) }
    const identity = subject === null ? undefined : findLoginIdentity(tx.sql, provider.id, subject)
    if (!identity || identity.loggedOutAt >= said_at) return { user_ids: [] }
    noteLogoutOf(tx.sql, identity.id, said_at)
    endSessions(tx, identity.userId)
    changeApiKey(tx, findUser(tx.sql, identity.userId)!)
    return { user_ids: [identity.userId] }
  },
  audit: ({ params: { provider_id }, value: { user_ids } }) =>
    user_ids.length === 0 ? undefined : { action: 'logged_out', details: { provider_id, user_ids } },
})

/** Ends everything in a provider's session, in which nothing can begin again. */
function endSessionAt(tx: RealmTransaction, at: { providerId: number; sid: string }): number[] {
  const inBrowsers = new Set(deleteBrowserSessionsAt(tx.sql, at, ENTRIES_AT_ONCE))
  // The desktop app has not begun its session yet.
  const underWay = deleteLoginTicketsAt(tx.sql, at, ENTRIES_AT_ONCE)
  for (const userId of inBrowsers) {
    endPolls(tx, userId)
    deleteLoginTicketsOf(tx.sql, userId)
  }
  const withKeys = takeKeysOfSession(tx.sql, at, ENTRIES_AT_ONCE)
  for (const userId of withKeys) changeApiKey(tx, findUser(tx.sql, userId)!)
  return [...new Set([...inBrowsers, ...underWay, ...withKeys])]
}
