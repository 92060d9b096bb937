import type { Command } from '../../core/command.ts'
import { findLoginIdentity, insertLoginIdentity } from '../../store/login-providers/login-identity-rows.ts'
import type { Caller } from '../caller.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { type ProviderAtHand, requireProviderOn } from './find-login-provider.ts'
import { hasIdentityAt, type ProviderRefusal } from './proven-person.ts'

export interface ConnectParams extends ProviderAtHand {
  readonly subject: string
}

/** Null where it is done. */
export interface Connected {
  readonly refused: ProviderRefusal | null
}

/**
 * Connects what a person is at a provider with the account that is logged in: from then on it is a way in. Source:
 * docs/interface/login.md#connect-a-provider.
 */
export const connectLoginIdentity: Command<Caller, ConnectParams, void, Connected> = {
  apply(tx, { user, source }, params) {
    const { subject } = params
    const provider = requireProviderOn(tx.sql, params)
    const identity = findLoginIdentity(tx.sql, provider.id, subject)
    if (identity) return { refused: identity.userId === user.id ? null : 'other_person' }
    if (hasIdentityAt(tx.sql, provider, user)) return { refused: 'other_identity' }
    insertLoginIdentity(tx.sql, { providerId: provider.id, subject, userId: user.id, madeAt: tx.now })
    mailCredentialChange(tx, user, source, 'loginConnected')
    return { refused: null }
  },
}
