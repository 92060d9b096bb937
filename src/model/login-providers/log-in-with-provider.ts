import type { Command } from '../../core/command.ts'
import { insertLoginIdentity, noteKeyOfSession } from '../../store/login-providers/login-identity-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import type { FinishedLogin, LoginEnd } from '../../store/users/login/login-proof.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { Anyone } from '../anyone.ts'
import { timeOfProof } from '../second-factors/ways-to-prove.ts'
import { finishLogin } from '../users/login/finish-login.ts'
import { type ProviderAtHand, requireProviderOn } from './find-login-provider.ts'
import { matchPerson } from './match-person.ts'
import type { ProvenPerson, ProviderRefusal } from './proven-person.ts'
import { signUp } from './sign-up.ts'
import { type SyncedGroups, syncClaims } from './sync-claims.ts'

export interface ProviderLoginParams extends ProviderAtHand {
  readonly person: ProvenPerson
  readonly end: LoginEnd
  /** The end of an invitation's link; null without one. */
  readonly invitation: string | null
  /** Language of the page, if the browser asks for one. */
  readonly language?: string | undefined
}

/** The result of a log-in. A refusal is not thrown, since its entry in the audit log has to be committed. */
export type ProviderLogin =
  | { readonly kind: 'refused'; readonly because: ProviderRefusal }
  | {
      readonly kind: 'in'
      readonly finished: FinishedLogin
      readonly hasJoined: boolean
      readonly isConnected: boolean
      readonly groups: SyncedGroups
    }

/**
 * Lets the person in whom a provider has recognized, after their account was found, connected or made; role and groups follow the provider
 * in the same commit. Source: docs/interface/login.md#at-a-provider.
 */
export const logInWithProvider: Command<Anyone, ProviderLoginParams, void, ProviderLogin> = {
  apply(tx, { source }, params) {
    const { person, end, invitation, language } = params
    const provider = requireProviderOn(tx.sql, params)
    if (isRealmDeactivated(tx.sql)) return refused('organization_deactivated')
    const match = matchPerson(tx, provider, person)
    if (match.kind === 'refused') return match
    const found =
      match.kind === 'joins'
        ? signUp(tx, provider, { email: match.email, person, invitation, language, source })
        : match.user
    if (typeof found === 'string') return refused(found)
    if (!found.isActive) return refused('account_deactivated')
    const isConnected = match.kind !== 'known'
    if (isConnected) {
      const identity = { providerId: provider.id, subject: person.subject, userId: found.id }
      insertLoginIdentity(tx.sql, { ...identity, madeAt: tx.now })
    }
    const groups = syncClaims(tx, provider, found, person, source)
    if (end.kind === 'app') noteKeyOfSession(tx.sql, provider.id, person.subject, person.sid)
    const { sid, loggedInAt } = person
    const user = presentOf(tx.sql, found)
    const provedAt = timeOfProof(tx.sql, user, loggedInAt, provider.id)
    const proof = { method: 'provider', provider: { id: provider.id, sid }, provedAt } as const
    const finished = finishLogin(tx, user, { source, end, proof })
    return { kind: 'in', finished, hasJoined: match.kind === 'joins', isConnected, groups }
  },
}

/** Returns the account as it is after its role was changed. */
function presentOf(sql: Parameters<typeof findUser>[0], { id }: User): User {
  return findUser(sql, id)!
}

function refused(because: ProviderRefusal): ProviderLogin {
  return { kind: 'refused', because }
}
