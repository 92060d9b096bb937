import type { Command } from '../../../core/command.ts'
import { ApiError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../caller.ts'
import { requireUserByEmail } from '../read/get-user.ts'
import type { User } from '../user-rows.ts'
import { requireUser } from '../visibility/access-user.ts'
import { seesUser } from '../visibility/visible-users.ts'
import { avatarUrl, avatarUrlOfEmail } from './avatar.ts'

export interface FindAvatarParams {
  /** An id, or an address. */
  readonly user: string
  readonly medium: boolean
}

/**
 * Finds the picture of a user. For somebody who does not exist, or whom the caller cannot see, it is that of
 * a stranger with such an address. Source: docs/interface/users.md#avatar.
 */
export const findAvatar: Command<Caller, FindAvatarParams, void, { readonly url: string }> = {
  apply(tx, caller, { user: named, medium }) {
    const size = medium ? 'medium' : 'small'
    const user = visibleUser(tx, caller, named)
    return { url: user ? avatarUrl(user, tx.realm, size) : avatarUrlOfEmail(named, 1, size) }
  },
}

function visibleUser(tx: RealmReads, caller: Caller, named: string): User | undefined {
  try {
    const user = /^\d{1,15}$/.test(named)
      ? requireUser(tx.sql, Number(named))
      : requireUserByEmail(tx, caller, named)
    return seesUser(tx, caller, user) ? user : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
