import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { commit, type LongCommand } from '../../core/long-command.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredMutedUsersEvent } from '../../events/muted-users.ts'
import type { Caller } from '../../model/caller.ts'
import { markOwnRead } from '../../model/messages/flags/change-flag.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import {
  deleteMutedUser,
  insertMutedUser,
  isMutedBy,
  listMutedUsers,
} from '../../store/muted-users/muted-user-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { nextUnreadOfSender } from './unread-of-sender.ts'

export interface MutedUserParams {
  readonly muted_user_id: number
}

/**
 * Mutes a user, also bots and closed accounts: their messages become read, and so will later ones. Thousands become read in commits
 * before that of the mute, so that the same request repeated goes on. Source: docs/interface/users.md#muted-users.
 */
export const muteUser: LongCommand<Caller, MutedUserParams, object> = {
  *commits({ muted_user_id }) {
    let above: number | undefined = 0
    do {
      const part: UnreadPart = { senderId: muted_user_id, above }
      above = yield* commit((tx, caller: Caller) => muteNext(tx, caller, part))
    } while (above !== undefined)
    return {}
  },
}

interface UnreadPart {
  readonly senderId: number
  readonly above: number
}

/** Marks the next messages as read; with the last ones, mutes their sender. Returns the id up to which they are read, if some are left. */
function muteNext(tx: RealmTransaction, caller: Caller, part: UnreadPart): number | undefined {
  const { user } = caller
  const muted = requireOther(tx, user, part.senderId, 'Cannot mute self')
  if (isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User already muted')
  const { messages, read, reached } = nextUnreadOfSender(tx, caller, part)
  if (reached === undefined) {
    withinQuota(tx, caller, 'mutedUsers', () =>
      insertMutedUser(tx.sql, user.id, { id: muted.id, timestamp: tx.now }, newestMessageId(tx.sql)),
    )
    announce(tx, user)
  } else {
    requireRoom(tx, caller)
  }
  if (messages.length > 0) markOwnRead(tx, caller, messages, read)
  return reached
}

/** @throws BadRequestError as the last commit of the mute would */
function requireRoom(tx: RealmTransaction, caller: Caller): void {
  withinQuota(tx, caller, 'mutedUsers', () => {}, caller.user.id, 1)
}

/** Unmutes a user; read messages stay read. Source: docs/interface/users.md#muted-users. */
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
