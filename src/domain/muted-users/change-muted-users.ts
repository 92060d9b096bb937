import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredMutedUsersEvent } from '../../events/muted-users.ts'
import type { Caller } from '../caller.ts'
import { markOwnRead } from '../messages/flags/change-flag.ts'
import type { MarkedRead, MessagesToMark } from '../messages/flags/mark-channel-read.ts'
import {
  type LoadedUnreadOfSender,
  loadUnreadOfSender,
  nextUnreadOfSender,
} from '../messages/flags/unread-of-sender.ts'
import { newestMessageId } from '../messages/message-rows.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { findUser, type User } from '../users/user-rows.ts'
import { deleteMutedUser, insertMutedUser, isMutedBy, listMutedUsers } from './muted-user-rows.ts'

export interface MutedUserParams {
  readonly muted_user_id: number
  /** The messages that an earlier commit of the same request has left. */
  readonly rest?: MessagesToMark
}

/** Above every id. */
const MAX_MESSAGE_ID = 999_999_999_999_999

/**
 * Mutes somebody, also bots and closed accounts: their messages become read, and so will later ones. Thousands become read in commits
 * before that of the mute, so that the same request repeated goes on. Source: docs/interface/users.md#muted-users.
 */
export const muteUser: Command<Caller, MutedUserParams, LoadedUnreadOfSender, MarkedRead> = {
  load({ walks }, view, caller, params, stale) {
    return loadUnreadOfSender(walks, view, caller, partOf(params), stale)
  },
  apply(tx, caller, params, loaded): MarkedRead {
    const { user } = caller
    const muted = requireOther(tx, user, params.muted_user_id, 'Cannot mute self')
    if (isMutedBy(tx.sql, muted.id, user.id)) throw new BadRequestError('User already muted')
    const { messages, read, reached } = nextUnreadOfSender(tx, caller, partOf(params), loaded)
    if (reached === undefined) {
      withinQuota(tx, caller, 'mutedUsers', () =>
        insertMutedUser(tx.sql, user.id, { id: muted.id, timestamp: tx.now }, newestMessageId(tx.sql)),
      )
      announce(tx, user)
    } else {
      requireRoom(tx, caller)
    }
    if (messages.length > 0) markOwnRead(tx, caller, messages, read)
    if (reached === undefined) return {}
    // What is sent meanwhile becomes read too.
    return { rest: { above: reached, upTo: MAX_MESSAGE_ID } }
  },
}

function partOf({ muted_user_id, rest }: MutedUserParams) {
  return { senderId: muted_user_id, above: rest?.above ?? 0 }
}

/** @throws BadRequestError as the last commit of the mute would */
function requireRoom(tx: RealmTransaction, caller: Caller): void {
  withinQuota(tx, caller, 'mutedUsers', () => {}, caller.user.id, 1)
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
