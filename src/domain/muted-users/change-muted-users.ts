import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredMutedUsersEvent } from '../../events/muted-users.ts'
import type { Caller } from '../caller.ts'
import { changeFlag } from '../messages/flags/change-flag.ts'
import { unreadMessages } from '../messages/flags/unread-messages.ts'
import { findMessages, newestMessageId } from '../messages/message-rows.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { findUser, type User } from '../users/user-rows.ts'
import { deleteMutedUser, insertMutedUser, isMutedBy, listMutedUsers } from './muted-user-rows.ts'

export interface MutedUserParams {
  readonly muted_user_id: number
}

/**
 * Mutes somebody, also bots and closed accounts: their messages become read, and so will later ones. Source:
 * docs/interface/users.md#muted-users.
 */
export const muteUser: Command<Caller, MutedUserParams, void, object> = {
  apply(tx, caller, { muted_user_id }) {
    const { user } = caller
    const muted = requireOther(tx, user, muted_user_id, 'Cannot mute self')
    if (isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User already muted')
    withinQuota(tx, caller, 'mutedUsers', () =>
      insertMutedUser(tx.sql, user.id, { id: muted.id, timestamp: tx.now }, newestMessageId(tx.sql)),
    )
    announce(tx, user)
    const unread = unreadMessages(tx.sql, user).filter(({ senderId }) => senderId === muted.id)
    const messages = findMessages(
      tx.sql,
      unread.map(({ id }) => id),
    )
    if (unread.length > 0) changeFlag(tx, caller, messages, { op: 'add', flag: 'read' })
    return {}
  },
}

/** Unmutes somebody; read messages stay read. Source: docs/interface/users.md#muted-users. */
export const unmuteUser: Command<Caller, MutedUserParams, void, object> = {
  apply(tx, { user }, { muted_user_id }) {
    const muted = requireOther(tx, user, muted_user_id, 'User is not muted')
    if (!isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User is not muted')
    deleteMutedUser(tx.sql, user.id, muted.id, {
      newestMessageId: newestMessageId(tx.sql),
      readFloor: user.readFloor,
    })
    announce(tx, user)
    return {}
  },
}

function requireOther(tx: RealmReads, user: User, id: number, refusal: string): User {
  if (id === user.id) throw new BadRequestError(refusal)
  const other = findUser(tx.sql, id)
  if (!other) throw new BadRequestError('No such user')
  return other
}

function announce(tx: RealmTransaction, user: User): void {
  const event: StoredMutedUsersEvent = {
    type: 'muted_users',
    muted_users: listMutedUsers(tx.sql, user.id),
  }
  tx.emit(event, toUsers(user.id))
}
