import type { Command } from '../../core/command.ts'
import { NOTICES_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { silentMention } from '../messages/send/mention-text.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { findUsers } from '../users/user-rows.ts'
import { findGroup, type UserGroup } from './user-group-rows.ts'

/** People who have yet to be notified of a change of a group. */
export interface NotYetNotified {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** Outcome of a commit that has notified some people, after which the Worker asks for the next. */
export interface PartlyNotified {
  readonly remaining: NotYetNotified
}

/**
 * Sends a direct message to each person, other than the actor, who was added to a group or removed from it.
 * If they are too many for one commit, all of them are notified in commits of their own.
 */
export function notifyMembersOfChange(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  remaining: NotYetNotified,
): PartlyNotified | Record<string, never> {
  if (remaining.added.length + remaining.removed.length > NOTICES_IN_ONE_COMMIT) return { remaining }
  return notifyNext(tx, caller, group, remaining)
}

function notifyNext(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  { added, removed }: NotYetNotified,
): PartlyNotified | Record<string, never> {
  const now = added.slice(0, NOTICES_IN_ONE_COMMIT)
  const then = removed.slice(0, NOTICES_IN_ONE_COMMIT - now.length)
  notify(tx, caller, now, `added you to the group @_*${group.name}*`)
  notify(tx, caller, then, `removed you from the group @_*${group.name}*`)
  const remaining = { added: added.slice(now.length), removed: removed.slice(then.length) }
  return remaining.added.length + remaining.removed.length === 0 ? {} : { remaining }
}

/** Notifies the next of those who have not been notified. */
export const notifyMembers: Command<
  Caller,
  PartlyNotified & { readonly user_group_id: number },
  void,
  PartlyNotified | Record<string, never>
> = {
  apply: (tx, caller, { user_group_id, remaining }) =>
    notifyNext(tx, caller, findGroup(tx.sql, user_group_id)!, remaining),
}

function notify(tx: RealmTransaction, caller: Caller, userIds: readonly number[], what: string): void {
  for (const user of findUsers(tx.sql, userIds).values()) {
    if (user.botType !== null || user.id === caller.user.id) continue
    sendNotice(tx, {
      to: { user },
      content: `${silentMention(caller.user)} ${what}.`,
      cause: caller,
      origin: caller.source.origin,
    })
  }
}
