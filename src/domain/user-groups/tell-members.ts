import { NOTICES_IN_ONE_COMMIT } from '../../core/budgets.ts'
import type { Command } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { sendNotice, silentMention } from '../messages/send-notice.ts'
import { findUsers } from '../users/user-rows.ts'
import { findGroup, type UserGroup } from './user-group-rows.ts'

/** People who are still to be told of a change of a group that has been made. */
export interface Untold {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** Some are told in this commit; the others in the next, which the Worker asks for. */
export interface PartlyTold {
  readonly untold: Untold
}

/**
 * A direct message to each person, other than the actor, who was put into a group or taken out of it; where they are more than
 * one commit tells, all of them in commits of their own.
 */
export function tellMembersOfChange(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  untold: Untold,
): PartlyTold | Record<string, never> {
  if (untold.added.length + untold.removed.length > NOTICES_IN_ONE_COMMIT) return { untold }
  return tellNext(tx, caller, group, untold)
}

function tellNext(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  { added, removed }: Untold,
): PartlyTold | Record<string, never> {
  const now = added.slice(0, NOTICES_IN_ONE_COMMIT)
  const then = removed.slice(0, NOTICES_IN_ONE_COMMIT - now.length)
  tell(tx, caller, now, `added you to the group @_*${group.name}*`)
  tell(tx, caller, then, `removed you from the group @_*${group.name}*`)
  const untold = { added: added.slice(now.length), removed: removed.slice(then.length) }
  return untold.added.length + untold.removed.length === 0 ? {} : { untold }
}

/** The next of those who have not been told. */
export const tellMembers: Command<
  Caller,
  PartlyTold & { readonly user_group_id: number },
  void,
  PartlyTold | Record<string, never>
> = {
  apply: (tx, caller, { user_group_id, untold }) =>
    tellNext(tx, caller, findGroup(tx.sql, user_group_id)!, untold),
}

function tell(tx: RealmTransaction, caller: Caller, userIds: readonly number[], what: string): void {
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
