import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { Command } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../anyone.ts'
import { deleteBrowserSessionsAt } from '../browser-sessions/browser-session-rows.ts'
import { changeApiKey } from '../users/login/change-api-key.ts'
import { endPolls, endSessions } from '../users/login/end-sessions.ts'
import { deleteLoginTicketsOf } from '../users/login/login-ticket-rows.ts'
import { findUser } from '../users/user-rows.ts'
import { requireLoginProvider } from './find-login-provider.ts'
import { findLoginIdentity, noteLogoutOf, takeKeysOfSession } from './login-identity-rows.ts'

export interface ProviderLogoutParams {
  readonly provider_id: number
  /** Whom the provider has logged out, and in which of its sessions; without a session everywhere. One of both may be absent. */
  readonly subject: string | null
  readonly sid: string | null
  /** UNIX seconds: when the provider has said so. */
  readonly said_at: number
}

export interface ProviderLogout {
  readonly user_ids: readonly number[]
}

/**
 * Ends what a provider has logged out: with a session its browsers, and the key if an app got it in that session; without one everything that
 * is logged in to the account. A repetition ends nothing more. Source: docs/interface/login.md#logged-out-by-the-provider.
 */
export const logOutByProvider: Command<Anyone, ProviderLogoutParams, void, ProviderLogout> = {
  apply(tx, _anyone, { provider_id, subject, sid, said_at }) {
    const provider = requireLoginProvider(tx.sql, provider_id)
    if (sid !== null) return { user_ids: endSessionAt(tx, { providerId: provider.id, sid }) }
    const identity = subject === null ? undefined : findLoginIdentity(tx.sql, provider.id, subject)
    if (!identity || identity.loggedOutAt >= said_at) return { user_ids: [] }
    noteLogoutOf(tx.sql, identity.id, said_at)
    endSessions(tx, identity.userId)
    changeApiKey(tx, findUser(tx.sql, identity.userId)!)
    return { user_ids: [identity.userId] }
  },
}

/** A session of the provider is nobody's any more after that, so that nothing is begun in it again. */
function endSessionAt(tx: RealmTransaction, at: { providerId: number; sid: string }): number[] {
  const inBrowsers = new Set(deleteBrowserSessionsAt(tx.sql, at, ENTRIES_AT_ONCE))
  for (const userId of inBrowsers) {
    endPolls(tx, userId)
    deleteLoginTicketsOf(tx.sql, userId)
  }
  const withKeys = takeKeysOfSession(tx.sql, at, ENTRIES_AT_ONCE)
  for (const userId of withKeys) changeApiKey(tx, findUser(tx.sql, userId)!)
  return [...new Set([...inBrowsers, ...withKeys])]
}
