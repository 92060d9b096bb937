import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { deleteNote, findNote } from '../../store/imports/import-piece-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { topicKey } from '../../store/messages/topic-rows.ts'
import { type Attachment, changeAttachmentOwner, putLink } from '../../store/uploads/attachment-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import type { Destination } from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { MAX_RECIPIENTS } from '../sending/resolve-destination.ts'
import { digestOf } from './digest.ts'
import { topicHere, topicNamed } from './fit-text.ts'
import { mayWriteInto } from './import-rights.ts'
import { authorFor, type ImportWork, participantsOf, targetOf } from './import-work.ts'
import { isLeftOut } from './write-channel.ts'
import { keyOfOwnerless } from './write-file.ts'

/** Returns the author of a message; one who was not imported is listed. */
export function authorOf(
  tx: RealmTransaction,
  work: ImportWork,
  { id, sender }: RecordOf<'message'>,
): Author | undefined {
  const userId = targetOf(tx, work, 'user', sender)
  const user = userId === undefined ? undefined : findUser(tx.sql, userId)
  if (user) return authorFor(tx, user)
  work.tally.problem('message of an unknown person', `${id}: ${sender}`)
  return undefined
}

/** Returns where the message goes; undefined for one that is left out. */
export function destinationOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'message'>,
  { user }: Author,
): Destination | undefined {
  const { imported, tally } = work
  if (record.channel !== undefined) {
    const channelId = targetOf(tx, work, 'channel', record.channel)
    const channel = channelId === undefined ? undefined : findChannel(tx.sql, channelId)
    const { private_channels } = imported.mapping
    // An earlier import may have made the channel, after other decisions, or while the channel was public there.
    if (isLeftOut(tx, work, record.channel) || (!private_channels && channel?.isPrivate !== false)) {
      tally.count('written', 'messages of channels left out')
      return undefined
    }
    if (!channel) {
      tally.problem('message in an unknown channel', `${record.id}: ${record.channel}`)
      return undefined
    }
    const topic = topicOf(tx, work, channel.id, record)
    const isAllowed = mayWriteInto(tx, work, record.channel, { channel, topic, what: `message ${record.id}` })
    return isAllowed ? { kind: 'channel', channel, topic } : undefined
  }
  if (!record.to) {
    tally.problem('message without a channel or people', record.id)
    return undefined
  }
  if (!imported.mapping.direct_messages) {
    tally.count('written', 'direct messages left out')
    return undefined
  }
  const named = new Set(record.to)
  if (named.size > MAX_RECIPIENTS + 1) {
    tally.problem('direct message to too many', `${record.id}: ${named.size} people`)
    return undefined
  }
  const ids = new Set([user.id])
  for (const person of named) {
    const id = targetOf(tx, work, 'user', person)
    if (id === undefined) {
      // Without one of its people the message would be in another conversation.
      tally.problem('direct message to an unknown person', `${record.id}: ${person}`)
      return undefined
    }
    ids.add(id)
  }
  if (ids.size > MAX_RECIPIENTS + 1) {
    tally.problem('direct message to too many', `${record.id}: ${ids.size} people`)
    return undefined
  }
  return { kind: 'direct', participants: participantsOf(tx, ids) }
}

/**
 * Returns the present topic of the thread's first message if that is here, since the topic may have been renamed;
 * otherwise the source's topic.
 */
function topicOf(
  tx: RealmTransaction,
  work: ImportWork,
  channelId: number,
  { id, topic, topic_of_thread }: RecordOf<'message'>,
): string {
  // The first message itself goes where the source has it.
  const root = topic_of_thread === id ? undefined : topic_of_thread
  const made = root === undefined ? undefined : work.messages?.destinationOf(root)
  if (made?.kind === 'channel' && made.channel.id === channelId) return made.topic
  const first = root === undefined ? undefined : targetOf(tx, work, 'message', root)
  const message = first === undefined ? undefined : findMessage(tx.sql, first)
  if (message?.recipientId !== channelRecipientId(channelId)) return topicNamed(work, topic)
  return topicOfMessage(tx.sql, message)?.name ?? topicNamed(work, topic)
}

/**
 * Returns a digest of the place that the source gives a message, by what is its channel here: 0 for a direct conversation, undefined for a channel
 * that is not here.
 */
export function placeOf(
  tx: RealmTransaction,
  work: ImportWork,
  { channel, topic }: RecordOf<'message'>,
): number | undefined {
  if (channel === undefined) return 0
  const channelId = targetOf(tx, work, 'channel', channel)
  return channelId === undefined ? undefined : placeIn(channelId, topicHere(work, topic))
}

/** Returns a digest of a topic, whatever its case. */
export function placeIn(channelId: number, topic: string): number {
  return digestOf(`${channelId} ${topicKey(topic)}`)
}

/** Links files to the message, so that its readers may read them: the text has the source's links. */
export function claimFiles(
  tx: RealmTransaction,
  { imported }: ImportWork,
  messageId: number,
  { user }: Author,
  files: readonly Attachment[],
  paths: readonly string[],
): void {
  for (const { id, path } of files) {
    if (!paths.includes(path)) continue
    putLink(tx.sql, id, messageId)
    const note = keyOfOwnerless(id)
    if (findNote(tx.sql, imported.id, note) === undefined) continue
    changeAttachmentOwner(tx.sql, id, user.id)
    deleteNote(tx.sql, imported.id, note)
  }
}
