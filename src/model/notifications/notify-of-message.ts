import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { Composition } from '../messages/send/compose.ts'
import type { ReceiverFlags } from '../messages/send/receiver-flags.ts'
import { mailAbout, mailAboutEdit } from '../missed-messages/note-missed-message.ts'
import { enqueuePushes, pushAboutEdit } from '../push/enqueue-pushes.ts'
import { mentionsAmong, mentionsByFlags } from './notification-cause.ts'

/**
 * Enqueues the notifications of a newly stored message, for users who are away, in each way that they want.
 * Other users cost nothing. Delivery checks whether a notification is still due.
 */
export function notifyOfMessage(
  tx: RealmTransaction,
  message: Composition,
  messageId: number,
  flags: ReceiverFlags,
): void {
  const mentions = mentionsAmong(flags)
  enqueuePushes(tx, message, messageId, mentions)
  mailAbout(tx, message, messageId, mentions, arrivingUnread(flags))
}

function arrivingUnread({ common, personal, unreadFor }: ReceiverFlags): (userId: number) => boolean {
  const [unread, read] = [new Set(unreadFor), new Set(personal.read)]
  return common.includes('read') ? (userId) => unread.has(userId) : (userId) => !read.has(userId)
}

/**
 * Notifies users whom a message mentions since its edit, and who were not mentioned before. `edited`: the message after the edit; `flags`:
 * the bits of all users who have a row for it.
 */
export function notifyOfEdit(
  tx: RealmTransaction,
  message: IndexedMessage,
  edited: Composition,
  flags: { readonly before: ReadonlyMap<number, number>; readonly after: ReadonlyMap<number, number> },
): void {
  if (message.topicId === 0) return
  const [before, after] = [mentionsByFlags(flags.before), mentionsByFlags(flags.after)]
  const mentionedBefore = new Set([...before.byName, ...before.inTopic])
  const isNew = (id: number) => !mentionedBefore.has(id)
  const added = {
    byName: after.byName.filter(isNew),
    inTopic: after.inTopic.filter(isNew),
    isChannel: edited.rendered.channelWildcard && (message.bits & MESSAGE_BIT.channelWildcard) === 0,
  }
  pushAboutEdit(tx, message, edited, added, mentionedBefore)
  mailAboutEdit(tx, message, edited, added, mentionedBefore)
}
