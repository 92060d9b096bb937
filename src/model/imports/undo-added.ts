import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { deleteNote, findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  type Added,
  addedBy,
  type ImportedThing,
  type ImportedType,
} from '../../store/imports/imported-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { deleteMutedUser } from '../../store/muted-users/muted-user-rows.ts'
import { deleteAlertWords, deleteNavigationView } from '../../store/personal/personal-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { putUserTopic, TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { announceRead, leaveChannels, readBeforeLeaving } from '../subscriptions/leave-channels.ts'

/** What an import has added to accounts and channels that were here before, and how undoing it takes that away. */

/** Removes what an import has added to an account for itself; what was changed since stays. */
export const UNDO_PERSONAL: readonly {
  readonly type: ImportedType
  readonly remove: (tx: RealmTransaction, added: Added) => void
}[] = [
  {
    type: 'user_topic',
    remove({ sql, now }, { userId, of: [channel, topic, policy] }) {
      const [channelId, name] = [Number(channel), String(topic)]
      if (topicPolicy(sql, userId, channelId, name) !== policy) return
      putUserTopic(sql, { userId, channelId, name, policy: TOPIC_POLICY.none, updatedAt: now })
    },
  },
  {
    type: 'muted_user',
    remove({ sql }, { userId, of: [muted] }) {
      const { readFloor } = findUser(sql, userId)!
      deleteMutedUser(sql, userId, Number(muted), { newestMessageId: newestMessageId(sql), readFloor })
    },
  },
  { type: 'alert_word', remove: ({ sql }, { userId, of }) => deleteAlertWords(sql, userId, of.map(String)) },
  {
    type: 'navigation_view',
    remove: ({ sql }, { userId, of: [fragment] }) => deleteNavigationView(sql, userId, String(fragment)),
  },
]

/**
 * Unsubscribes the next person from a channel that was here before, as by a request. Returns whether that is done: who has much unread there
 * reads it in several commits first.
 */
export function undoSubscription(tx: RealmTransaction, { id }: RealmImport, thing: ImportedThing): boolean {
  const { userId, of } = addedBy(thing)
  const [channel, user] = [findChannel(tx.sql, Number(of[0])), findUser(tx.sql, userId)]
  if (!channel || !user || !isSubscribed(tx.sql, channel.id, userId)) return true
  const all = { leaving: [{ channel, userIds: [userId] }], users: new Map([[userId, user]]) }
  const key = `leaves:${thing.id}`
  const { ready, readUpTo, readBy } = readBeforeLeaving(
    tx,
    all,
    [userId],
    Number(findNote(tx.sql, id, key) ?? 0),
  )
  if (ready === 0) putNotes(tx.sql, id, new Map([[key, String(readUpTo)]]))
  else {
    leaveChannels(tx, all)
    deleteNote(tx.sql, id, key)
  }
  announceRead(tx, readBy)
  return ready > 0
}
