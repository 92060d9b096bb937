import { BadRequestError } from '../../core/errors.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { heldAmong } from '../../store/holds/hold-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { flagBitsByUser, putFlagBitsOfUsers } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, NAMED_BIT, UNMENTIONED_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { editInIndex } from '../../store/messages/move/topic-message-rows.ts'
import { topicParticipants } from '../../store/messages/topic-rows.ts'
import { receiversAmongMany } from '../../store/subscriptions/periods-of-many-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { type StoredContentEdit, withEdit } from '../messages/read/edit-history.ts'
import { type Composition, compose, type Destination } from '../messages/text/compose.ts'
import type { TextForm } from '../messages/text/render-text.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { contentBits, notifyOfEdit } from '../sending/store-message.ts'
import { accountsInGroups } from '../user-groups/group-members.ts'

/** Renders new content of the caller's message for its present conversation. */
export function composeEdit(
  tx: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  content: string,
  pictures?: TextForm['pictures'],
): Composition {
  return compose(tx, caller, destinationOf(tx, message), content, caller.source.origin, pictures)
}

/** Returns the channel and topic, or the participants, of a message. */
export function destinationOf({ sql }: Pick<RealmReads, 'sql'>, message: IndexedMessage): Destination {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    return {
      kind: 'channel',
      channel: findChannel(sql, recipient.id)!,
      topic: topicOfMessage(sql, message)!.name,
    }
  }
  const { members } = conversationById(sql, recipient.id)!
  return { kind: 'direct', participants: [...findUsers(sql, members).values()] }
}

/** Bits that follow from the text alone. A wildcard mention stays, since people were notified of it. */
export const REPLACED_BITS =
  MESSAGE_BIT.isMe |
  MESSAGE_BIT.hasLink |
  MESSAGE_BIT.hasImage |
  MESSAGE_BIT.hasAttachment |
  // With its history, the message is longer.
  MESSAGE_BIT.isShort

/** Replaces a message's content in index, body and flags. `seq`: the log id of the event. It becomes unread for no one. */
export function editContent(
  tx: RealmTransaction,
  message: IndexedMessage,
  body: MessageBody,
  composition: Composition,
  seq: number,
): void {
  const edit: StoredContentEdit = {
    user_id: composition.author.user.id,
    timestamp: Math.floor(tx.now),
    prev_content: body.content,
    prev_rendered_content: body.renderedContent,
    seq,
  }
  const earlier = body.editHistory as readonly StoredContentEdit[]
  const history = withEdit(edit, earlier)
  if (history.length <= earlier.length && heldAmong(tx.sql, [message.id]).size > 0)
    throw new BadRequestError('This message is on hold and has too many earlier versions to be edited.')
  const before = flagBitsByUser(tx.sql, message.id)
  const changed = changedFlags(tx, message, composition, before)
  putFlagBitsOfUsers(tx.sql, message.id, changed)
  notifyOfEdit(tx, message, composition, { before, after: new Map([...before, ...changed]) })
  editInIndex(tx.sql, message.id, {
    bits: (message.bits & ~REPLACED_BITS) | contentBits(composition),
    editedAt: tx.now,
  })
  tx.writeToD1({
    statement: 'replace-message-body',
    row: [
      message.id,
      body.version + 1,
      composition.content,
      composition.rendered.html,
      JSON.stringify(history),
    ],
  })
}

/** Returns the users' bits that the edit changes, from `rows`, the bits before. A mention by an edit makes no record. */
function changedFlags(
  tx: RealmReads,
  message: IndexedMessage,
  { rendered, author }: Composition,
  rows: ReadonlyMap<number, number>,
): Map<number, number> {
  const wanted = new Map<number, number>()
  const want = (userIds: readonly number[], bit: number) => {
    for (const id of userIds) wanted.set(id, (wanted.get(id) ?? 0) | bit)
  }
  want(rendered.mentionedUserIds, FLAG_BIT.mentioned | NAMED_BIT)
  const members = accountsInGroups(tx, rendered.mentionedGroupIds).toArray()
  const haveRow = members.filter((id) => rows.has(id))
  // For the others, whether their accounts are open is checked below.
  want(openAmong(tx.sql, haveRow), FLAG_BIT.mentioned)
  want(haveRow.length === 0 ? members : members.filter((id) => !rows.has(id)), FLAG_BIT.mentioned)
  const alerted = rendered.alertedUserIds.filter((id) => id !== author.user.id)
  want(alerted, FLAG_BIT.has_alert_word)
  if (rendered.topicWildcard && message.topicId > 0) {
    want(topicParticipants(tx.sql, message.topicId, message.senderId), FLAG_BIT.topic_wildcard_mentioned)
  }
  const changed = new Map<number, number>()
  for (const [userId, bits] of rows) {
    const renewed = FLAG_BIT.mentioned | NAMED_BIT | FLAG_BIT.has_alert_word
    const kept = bits & ~(rendered.channelWildcard ? renewed | UNMENTIONED_BIT : renewed)
    // The row stays even without bits, since it may be the only record.
    const next = kept | (wanted.get(userId) ?? 0)
    if (next !== bits) changed.set(userId, next)
  }
  const others = [...wanted.keys()].filter((id) => !rows.has(id))
  for (const id of havingRecord(tx, message, others)) changed.set(id, wanted.get(id)!)
  return changed
}

/** Returns the users, of those without a row for the message, who have a record of it and an open account. There may be thousands. */
function havingRecord({ sql }: RealmReads, message: IndexedMessage, userIds: readonly number[]): number[] {
  if (userIds.length === 0) return []
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') return receiversAmongMany(sql, recipient.id, message, userIds)
  const members = new Set(conversationById(sql, recipient.id)?.members)
  const participants = userIds.filter((id) => members.has(id))
  return openAmong(sql, participants)
}
