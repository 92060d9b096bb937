import type { Command } from '../../core/command.ts'
import { noteProof } from '../browser-sessions/browser-session-rows.ts'
import type { Caller } from '../caller.ts'
import type { Connected, ConnectParams } from './connect-login-identity.ts'
import { requireLoginProvider } from './find-login-provider.ts'
import { findLoginIdentity } from './login-identity-rows.ts'

/** Notes that whoever is logged in has just proved again who they are, at a provider. Source: docs/interface/login.md#connect-a-provider. */
export const proveWithProvider: Command<Caller, ConnectParams, void, Connected> = {
  apply(tx, { user, source }, { provider_id, subject }) {
    const provider = requireLoginProvider(tx.sql, provider_id)
    const identity = findLoginIdentity(tx.sql, provider.id, subject)
    if (identity?.userId !== user.id) return { refused: 'other_person' }
    if (source.session !== undefined) noteProof(tx.sql, source.session, tx.now)
    return { refused: null }
  },
}
