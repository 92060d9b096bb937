import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { Emoji } from '../../store/emoji/emoji-lookup.ts'
import { deleteNote, findNote } from '../../store/imports/import-piece-rows.ts'
import { noteNewText } from '../../store/imports/imported-rows.ts'
import { putFlagBitsOfUsers } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { insertReaction } from '../../store/reactions/reaction-rows.ts'
import { insertSubmessage } from '../../store/submessages/submessage-rows.ts'
import { type Attachment, changeAttachmentOwner, putLink } from '../../store/uploads/attachment-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { destinationOf as presentDestination } from '../messages/edit/edit-content.ts'
import type { Destination } from '../messages/send/compose.ts'
import type { Author } from '../messages/send/markdown-lookups.ts'
import { MAX_RECIPIENTS } from '../messages/send/resolve-destination.ts'
import { contentBits, enterBody, indexRowOf } from '../messages/send/store-message.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { releaseOthers } from '../uploads/claim-attachments.ts'
import { topicNamed } from './fit-text.ts'
import { isOwn, mayWriteInto, NOT_ALLOWED, refusalOfChannel } from './import-rights.ts'
import {
  authorFor,
  IMPORT_CLIENT,
  type ImportWork,
  participantsOf,
  targetOf,
  unlessRefused,
} from './import-work.ts'
import type { MadeMessages } from './made-messages.ts'
import { composeAs, textOf } from './message-text.ts'
import { isLeftOut } from './write-channel.ts'
import { earlierVersions, enterEdits, replaceText } from './write-edits.ts'
import { emojiOf } from './write-emoji.ts'
import { keyOfOwnerless } from './write-file.ts'
import { widgetEntries } from './write-widget.ts'

/** Limit of the reactions, stars and unread marks of a message: far more than occur. */
const MARKS_OF_MESSAGE = 1_000

type WorkOnMessages = ImportWork & { readonly messages: MadeMessages }

/** Writes a message with its reactions, marks and entries, without an event. It arrives read, except for those who have not read it there. */
export function writeMessage(tx: RealmTransaction, work: WorkOnMessages, record: RecordOf<'message'>): void {
  const { messages, tally } = work
  const known = messages.find(record.id)
  const digest = textDigest(JSON.stringify([record.content, record.edited_ms, record.files]))
  if (known?.digest === digest) return
  unlessRefused(work, 'message that cannot be shown', record.id, () => {
    const author = authorOf(tx, work, record)
    const destination = author && destinationOf(tx, work, record, author)
    if (!destination) return
    if (known) {
      if (!messages.destinationOf(record.id) && !isOwn(tx, work, 'message', record.id)) {
        tally.problem(NOT_ALLOWED, `message ${record.id}: another owner has imported it`)
        return
      }
      // This commit may have made it.
      messages.write()
      changeText(tx, work, record, author, { ...known, digest })
      return
    }
    const { content, files } = textOf(tx, work, record, destination)
    const pictures = { at: files.map(({ path }) => path) }
    const message = composeAs(tx, work, record.sender, { author, destination, content, pictures })
    const edited = earlierVersions(tx, work, record, message)
    const reactions = reactionsOf(tx, work, record)
    const entries = widgetEntries(tx, work, record)
    const row = indexRowOf(tx, message, {
      client: IMPORT_CLIENT,
      sentAt: Math.floor(record.time_ms / 1_000),
      bits:
        contentBits(message) |
        MESSAGE_BIT.arrivesRead |
        MESSAGE_BIT.isImported |
        (reactions.length > 0 ? MESSAGE_BIT.hasReaction : 0) |
        (entries.length > 0 ? MESSAGE_BIT.isWidget : 0),
    })
    const id = messages.enter(row)
    enterBody(tx, id, message)
    for (const reaction of reactions) insertReaction(tx.sql, { messageId: id, ...reaction })
    tally.count('written', 'reactions', reactions.length)
    for (const entry of entries) insertSubmessage(tx.sql, { messageId: id, type: 'widget', ...entry })
    tally.count('written', 'entries of polls and to-do lists', Math.max(entries.length - 1, 0))
    messages.note({
      id: record.id,
      targetId: id,
      digest,
      version: edited.editedAt === null ? 0 : 1,
      reactions: reactions.length + entries.length,
      destination,
    })
    tally.count('written', destination.kind === 'channel' ? 'messages' : 'direct messages')
    if (edited.editedAt !== null || edited.history.length > 0) {
      messages.write()
      enterEdits(tx, work, id, edited)
    }
    claimFiles(tx, work, id, author, files, message.rendered.uploadPaths)
    writeFlags(tx, work, record, id)
  })
}

/** Gives a message its present text of the source, unless it was edited or deleted here. */
function changeText(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'message'>,
  author: Author,
  known: { readonly targetId: number; readonly digest: number; readonly version: number },
): void {
  const { tally } = work
  const message = findMessage(tx.sql, known.targetId)
  if (message?.version !== known.version) {
    tally.count('written', `messages ${message ? 'edited' : 'deleted'} here, and left so`)
    return
  }
  const destination = presentDestination(tx, message)
  const isElsewhere =
    destination.kind === 'channel' &&
    (record.channel === undefined || targetOf(tx, work, 'channel', record.channel) !== destination.channel.id)
  const refusal = isElsewhere ? refusalOfChannel(tx, work.owner, destination.channel) : undefined
  if (refusal !== undefined) {
    tally.problem(NOT_ALLOWED, `message ${record.id}, which was moved: ${refusal}`)
    return
  }
  const { content, files } = textOf(tx, work, record, destination)
  const pictures = { at: files.map(({ path }) => path) }
  const composition = composeAs(tx, work, record.sender, { author, destination, content, pictures })
  const version = replaceText(tx, message, earlierVersions(tx, work, record, composition))
  const { uploadPaths } = composition.rendered
  releaseOthers(tx, message.id, uploadPaths)
  claimFiles(tx, work, message.id, author, files, uploadPaths)
  noteNewText(tx.sql, work.sourceId, record.id, { digest: known.digest, version })
  tally.count('written', 'messages with a new text')
}

function authorOf(
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
function destinationOf(
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
  { topic, topic_of_thread }: RecordOf<'message'>,
): string {
  const made = topic_of_thread === undefined ? undefined : work.messages?.destinationOf(topic_of_thread)
  if (made?.kind === 'channel' && made.channel.id === channelId) return made.topic
  const first = topic_of_thread === undefined ? undefined : targetOf(tx, work, 'message', topic_of_thread)
  const message = first === undefined ? undefined : findMessage(tx.sql, first)
  if (message?.recipientId !== channelRecipientId(channelId)) return topicNamed(work, topic)
  return topicOfMessage(tx.sql, message)?.name ?? topicNamed(work, topic)
}

/** Links files to the message, so that its readers may read them: the text has the source's links. */
function claimFiles(
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

interface Given extends Emoji {
  readonly userId: number
}

function reactionsOf(
  tx: RealmTransaction,
  work: ImportWork,
  { id, reactions }: RecordOf<'message'>,
): Given[] {
  const { tally } = work
  const given = new Set<string>()
  if (reactions && reactions.length > MARKS_OF_MESSAGE) tally.problem('message with too many reactions', id)
  return (reactions ?? []).slice(0, MARKS_OF_MESSAGE).flatMap((reaction) => {
    const userId = targetOf(tx, work, 'user', reaction.user)
    if (userId === undefined) {
      tally.problem('reaction of an unknown person', `${id}: ${reaction.user}`)
      return []
    }
    const emoji = unlessRefused(work, 'unknown emoji', id, () => emojiOf(tx, work, reaction))
    const own = emoji && `${userId} ${emoji.reaction_type} ${emoji.emoji_code}`
    if (!own || given.has(own)) return []
    given.add(own)
    return { userId, ...emoji }
  })
}

function writeFlags(
  tx: RealmTransaction,
  work: ImportWork,
  { id, starred_by, unread_by }: RecordOf<'message'>,
  messageId: number,
): void {
  const bits = new Map<number, number>()
  const mark = (people: readonly string[] = [], bit: number, as: string) => {
    if (people.length > MARKS_OF_MESSAGE) work.tally.problem(`message that too many have ${as}`, id)
    for (const person of people.slice(0, MARKS_OF_MESSAGE)) {
      const userId = targetOf(tx, work, 'user', person)
      if (userId !== undefined) bits.set(userId, (bits.get(userId) ?? 0) | bit)
    }
  }
  mark(starred_by, FLAG_BIT.starred, 'starred')
  mark(unread_by, UNREAD_BIT, 'not read')
  putFlagBitsOfUsers(tx.sql, messageId, bits)
}

const [FIRST, SECOND, MIX_1, MIX_2] = [0xdeadbeef, 0x41c6ce57, 2_654_435_761, 1_597_334_677] as const
const LOW_BITS = 0x1fffff
const TWO_TO_32 = 4_294_967_296

/** Returns a digest of 53 bits. */
function textDigest(text: string): number {
  let [a, b]: [number, number] = [FIRST, SECOND]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, MIX_1)
    b = Math.imul(b ^ unit, MIX_2)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return TWO_TO_32 * (LOW_BITS & b) + (a >>> 0)
}
