import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { type Reference, replaceReferences } from '../../imports/references.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { customEmojiOf } from '../emoji/custom-emoji-rows.ts'
import { emojiNamed } from '../emoji/emoji-lookup.ts'
import { putFlagBits } from '../messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from '../messages/flags/message-bits.ts'
import { compose, type Destination } from '../messages/send/compose.ts'
import type { Author } from '../messages/send/markdown-lookups.ts'
import { normaliseContent, normaliseTopic } from '../messages/send/message-text.ts'
import { contentBits, enterMessage } from '../messages/send/store-message.ts'
import { findReaction, insertReaction } from '../reactions/reaction-rows.ts'
import { findUser, findUsers } from '../users/user-rows.ts'
import { type ImportWork, noteTarget, targetOf } from './import-work.ts'
import { isLeftOut } from './write-channel.ts'

/** The client by which imported messages were sent. */
const IMPORT_CLIENT = 'Import'
/** The topic of messages that have none in the source. */
const TOPIC_WITHOUT_NAME = 'imported'
const UNFIT_IN_TOPIC = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu
/** Reactions of one message, and people who have starred it or not read it: far more than people give. */
const MARKS_OF_MESSAGE = 1_000

/** Writes a message with what people have made of it, without an event: it arrives read for everybody but those who have not read it there. */
export function writeMessage(tx: RealmTransaction, work: ImportWork, record: RecordOf<'message'>): void {
  if (targetOf(tx, work, 'message', record.id) !== undefined) return
  const { tally } = work
  try {
    const author = authorOf(tx, work, record)
    const destination = author && destinationOf(tx, work, record, author)
    if (!destination) return
    const message = compose(tx, author, destination, contentOf(tx, work, record), tx.origin)
    const reactions = reactionsOf(tx, work, record)
    const id = enterMessage(tx, message, {
      client: IMPORT_CLIENT,
      sentAt: Math.floor(record.time_ms / 1_000),
      bits:
        contentBits(message) |
        MESSAGE_BIT.arrivesRead |
        MESSAGE_BIT.isImported |
        (reactions.length > 0 ? MESSAGE_BIT.hasReaction : 0),
    })
    noteTarget(
      tx,
      work,
      'message',
      record.id,
      id,
      destination.kind === 'channel' ? 'messages' : 'direct messages',
    )
    for (const reaction of reactions) {
      if (findReaction(tx.sql, id, reaction.userId, reaction)) continue
      insertReaction(tx.sql, { messageId: id, ...reaction })
      tally.count('written', 'reactions')
    }
    writeFlags(tx, work, record, id)
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error
    tally.problem('message that cannot be shown', `${record.id}: ${error.message}`)
  }
}

function authorOf(
  tx: RealmTransaction,
  work: ImportWork,
  { id, sender }: RecordOf<'message'>,
): Author | undefined {
  const { sql, now } = tx
  const userId = targetOf(tx, work, 'user', sender)
  const user = userId === undefined ? undefined : findUser(sql, userId)
  if (!user) {
    work.tally.problem('message of an unknown person', `${id}: ${sender}`)
    return undefined
  }
  return { user, actor: actorOf(sql, user, now) }
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
    // An earlier import may have made the channel, with other decisions, and when it was open there.
    if (isLeftOut(tx, work, record.channel) || (!private_channels && channel?.isPrivate !== false)) {
      tally.count('written', 'messages of channels left out')
      return undefined
    }
    if (channel) return { kind: 'channel', channel, topic: topicOf(record) }
    tally.problem('message in an unknown channel', `${record.id}: ${record.channel}`)
    return undefined
  }
  if (!record.to) {
    tally.problem('message without a channel or people', record.id)
    return undefined
  }
  if (!imported.mapping.direct_messages) {
    tally.count('written', 'direct messages left out')
    return undefined
  }
  const ids = new Set([user.id])
  for (const person of record.to) {
    const id = targetOf(tx, work, 'user', person)
    if (id === undefined) {
      // Without one of its people it would be in a conversation of others.
      tally.problem('direct message to an unknown person', `${record.id}: ${person}`)
      return undefined
    }
    ids.add(id)
  }
  const participants = [...findUsers(tx.sql, [...ids]).values()].sort((a, b) => a.id - b.id)
  return { kind: 'direct', participants }
}

function topicOf({ topic }: RecordOf<'message'>): string {
  return normaliseTopic((topic ?? TOPIC_WITHOUT_NAME).toWellFormed().replace(UNFIT_IN_TOPIC, ' '))
}

function contentOf(tx: RealmTransaction, work: ImportWork, { content }: RecordOf<'message'>): string {
  const replaced = replaceReferences(content.toWellFormed().replaceAll('\0', ''), (reference) =>
    markdownOf(tx, work, reference),
  )
  return normaliseContent(replaced)
}

/** Returns what a reference has become, as Markdown; where the thing is missing, its label. */
function markdownOf(tx: RealmTransaction, work: ImportWork, { kind, id, form, label }: Reference): string {
  const { sql } = tx
  const target = kind === 'group' || kind === 'file' ? undefined : targetOf(tx, work, kind, id)
  if (target === undefined) {
    work.tally.count('written', `references to a missing ${kind}`)
    return label === '' ? `(${kind})` : label
  }
  const path =
    kind === 'user'
      ? `/#user/${target}`
      : kind === 'channel'
        ? `/#narrow/channel/${target}`
        : `/#narrow/id/${target}`
  if (form === 'link') return `[${label}](${path})`
  if (kind === 'user') return `@_**${findUser(sql, target)?.fullName ?? ''}|${target}**`
  if (kind === 'channel') return `#**${findChannel(sql, target)?.name ?? ''}**`
  return path
}

interface Given {
  readonly userId: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

function reactionsOf(
  tx: RealmTransaction,
  work: ImportWork,
  { id, reactions }: RecordOf<'message'>,
): Given[] {
  return (reactions ?? []).slice(0, MARKS_OF_MESSAGE).flatMap(({ user, emoji }) => {
    const userId = targetOf(tx, work, 'user', user)
    if (userId === undefined) {
      work.tally.problem('reaction of an unknown person', `${id}: ${user}`)
      return []
    }
    try {
      return { userId, ...emojiNamed(emoji, customEmojiOf(tx.sql)) }
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
      work.tally.problem('unknown emoji', `${id}: ${emoji}`)
      return []
    }
  })
}

function writeFlags(
  tx: RealmTransaction,
  work: ImportWork,
  { starred_by, unread_by }: RecordOf<'message'>,
  messageId: number,
): void {
  const bits = new Map<number, number>()
  const mark = (people: readonly string[] | undefined, bit: number) => {
    for (const person of (people ?? []).slice(0, MARKS_OF_MESSAGE)) {
      const userId = targetOf(tx, work, 'user', person)
      if (userId !== undefined) bits.set(userId, (bits.get(userId) ?? 0) | bit)
    }
  }
  mark(starred_by, FLAG_BIT.starred)
  mark(unread_by, UNREAD_BIT)
  for (const [userId, own] of bits) putFlagBits(tx.sql, userId, messageId, own)
}
