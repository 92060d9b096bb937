import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Composition } from '../messages/compose.ts'
import { MESSAGE_BIT, UNREAD_BIT } from '../messages/message-bits.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import type { ReceiverFlags } from '../messages/receiver-flags.ts'
import { mailAbout, watchMailed } from '../missed-messages/note-missed-message.ts'
import { callDevices, watchCalled } from '../push/call-devices.ts'
import { mentionsAmong, mentionsIn } from './mentions.ts'

/**
 * Notes that a message that has just been stored is to be told of to those who are away, in each way that they want. Nobody
 * else costs anything. Whether it is still to be told is looked at when it is.
 */
export function tellOfMessage(
  tx: RealmTransaction,
  message: Composition,
  messageId: number,
  flags: ReceiverFlags,
): void {
  const mentions = mentionsAmong(flags)
  callDevices(tx, message, messageId, mentions)
  mailAbout(tx, message, messageId, mentions, arrivingUnread(flags))
}

function arrivingUnread({ common, personal, rows }: ReceiverFlags): (userId: number) => boolean {
  const read = new Set(personal.read)
  return common.includes('read')
    ? (userId) => ((rows.get(userId) ?? 0) & UNREAD_BIT) !== 0
    : (userId) => !read.has(userId)
}

/**
 * Watches the mentions of a message that is about to be edited. The result, called afterwards, has those told whom the edit
 * has called and nothing had before.
 */
export function watchMentions(tx: RealmTransaction, message: IndexedMessage): (edited: Composition) => void {
  if (message.topicId === 0) return () => {}
  const before = mentionsIn(tx, message)
  const ways = [watchCalled(tx, message), watchMailed(tx, message)].filter((way) => way !== undefined)
  return (edited) => {
    const after = mentionsIn(tx, message)
    const calledBefore = new Set([...before.byName, ...before.inTopic])
    const isNew = (id: number) => !calledBefore.has(id)
    const added = {
      byName: after.byName.filter(isNew),
      inTopic: after.inTopic.filter(isNew),
      isChannel: edited.rendered.channelWildcard && (message.bits & MESSAGE_BIT.channelWildcard) === 0,
    }
    for (const tell of ways) tell(edited, added, calledBefore)
  }
}
