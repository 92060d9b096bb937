import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { changeChannel, findChannel } from '../../store/channels/channel-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import {
  clientId,
  clientNames,
  findMessages,
  type IndexedMessage,
} from '../../store/messages/message-rows.ts'
import { insertFormerMessages } from '../../store/messages/recent-message-rows.ts'
import { openTopic, topicById } from '../../store/messages/topic-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import { spellingIn } from '../messages/topic-of-message.ts'
import type { TextLine } from './backup-form.ts'
import { formerReader, movedIntoPrivate } from './former-access.ts'

/** The name of the client of messages whose own is not known any more. */
const FORMER_CLIENT = 'Backup'

/** A message that is gone, with its text. */
export interface FormerMessage {
  readonly message: IndexedMessage
  readonly text: TextLine
}

const idOf = ({ id }: IndexedMessage): number => id

/** What has become of the messages. */
interface GivenBack {
  readonly ids: readonly number[]
  /** Number of those that were not written, since the owner may not read them today, or they were moved to a private channel before. */
  readonly hidden: number
  /** Number of those whose senders are gone, or whose personal data was deleted. */
  readonly ofDeleted: number
}

/**
 * Writes messages that are gone with their ids, times, senders and texts, if the owner who asks may read them today. They are read for
 * everybody, and nobody is notified. `topicName`: the name in the backup of a topic that is gone.
 */
export function writeFormerMessages(
  tx: RealmTransaction,
  owner: Viewer,
  messages: readonly FormerMessage[],
  topicName: (id: number) => string | undefined,
): GivenBack {
  const there = new Set(
    findMessages(
      tx.sql,
      messages.map(({ message }) => message.id),
    ).map(({ id }) => id),
  )
  const gone = messages.filter(({ message }) => !there.has(message.id))
  const former = gone.map(({ message }) => message)
  const mayRead = formerReader(tx, owner, former.map(idOf))
  const inPrivate = movedIntoPrivate(tx.sql, former)
  const visible = gone.filter(({ message }) => mayRead(message) && !inPrivate.has(message.id))
  const written = visible.filter(({ message }) => findUser(tx.sql, message.senderId)?.isDeleted === false)
  const clients = clientNames(tx.sql)
  const rows = written.map(({ message }) => ({
    ...message,
    ...topicOf(tx, message, topicName),
    clientId: clients.has(message.clientId) ? message.clientId : clientId(tx.sql, FORMER_CLIENT),
    bits: message.bits | MESSAGE_BIT.arrivesRead,
  }))
  insertFormerMessages(tx.sql, rows)
  for (const { text } of written) tx.writeToD1({ statement: 'replace-message-body', row: [...text] })
  for (const [channelId, own] of Map.groupBy(rows, channelOf)) lowerFirstMessage(tx, channelId, own[0]!.id)
  return {
    ids: written.map(({ message }) => message.id),
    hidden: gone.length - visible.length,
    ofDeleted: visible.length - written.length,
  }
}

/** Returns the topic today: by its number, under whatever name, or else the one that has its name. */
function topicOf(
  { sql }: Pick<RealmTransaction, 'sql'>,
  message: IndexedMessage,
  topicName: (id: number) => string | undefined,
): Pick<IndexedMessage, 'topicId' | 'topicSpelling'> {
  const { topicId, topicSpelling } = message
  const channelId = channelOf(message)
  if (channelId === undefined) return { topicId: 0, topicSpelling: null }
  if (topicById(sql, topicId)?.channelId === channelId) return { topicId, topicSpelling }
  const name = topicName(topicId) ?? ''
  const topic = openTopic(sql, channelId, name)
  return { topicId: topic.id, topicSpelling: topicSpelling ?? spellingIn(topic, name) }
}

function channelOf({ recipientId }: Pick<IndexedMessage, 'recipientId'>): number | undefined {
  const recipient = recipientOf(recipientId)
  return recipient.kind === 'channel' ? recipient.id : undefined
}

function lowerFirstMessage(
  { sql }: Pick<RealmTransaction, 'sql'>,
  channelId: number | undefined,
  id: number,
): void {
  if (channelId === undefined) return
  const { firstMessageId } = findChannel(sql, channelId)!
  if (firstMessageId === null || firstMessageId > id) changeChannel(sql, channelId, { firstMessageId: id })
}
