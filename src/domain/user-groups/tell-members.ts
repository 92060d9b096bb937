import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { sendNotice, silentMention } from '../messages/send-notice.ts'
import { findUsers } from '../users/user-rows.ts'
import type { UserGroup } from './user-group-rows.ts'

/** A direct message to each person, other than the actor, who was put into a group or taken out of it. */
export function tellMembersOfChange(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  userIds: readonly number[],
  change: 'added' | 'removed',
): void {
  const what = change === 'added' ? 'added you to' : 'removed you from'
  for (const user of findUsers(tx.sql, userIds).values()) {
    if (user.botType !== null || user.id === caller.user.id) continue
    sendNotice(tx, {
      to: { user },
      content: `${silentMention(caller.user)} ${what} the group @_*${group.name}*.`,
      cause: caller,
      origin: caller.source.origin,
    })
  }
}
