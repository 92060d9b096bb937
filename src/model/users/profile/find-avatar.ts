import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { findUserAtAddress } from '../addresses/find-by-address.ts'
import { seesUser } from '../visibility/visible-users.ts'
import { avatarUrl, avatarUrlOfEmail } from './avatar.ts'

export interface FindAvatarParams {
  /** An id, or an address. */
  readonly user: string
  readonly medium: boolean
}

/**
 * Finds the picture of a user, system bots included. A user who does not exist, or whom the caller cannot see, gets that of a
 * stranger with this address. Source: docs/interface/users.md#avatar.
 */
export function findAvatar(
  tx: RealmTransaction,
  caller: Caller,
  { user: named, medium }: FindAvatarParams,
): { readonly url: string } {
  const size = medium ? 'medium' : 'small'
  const user = visibleUser(tx, caller, named)
  return { url: user ? avatarUrl(user, tx.realm, size) : avatarUrlOfEmail(named, 1, size) }
}

function visibleUser(tx: RealmReads, caller: Caller, named: string): User | undefined {
  const user = /^\d{1,15}$/.test(named)
    ? findUser(tx.sql, Number(named))
    : findUserAtAddress(tx, caller, named)
  return user && seesUser(tx, caller, user) ? user : undefined
}
