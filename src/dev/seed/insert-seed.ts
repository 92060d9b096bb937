import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import type { WritableSql } from '../../core/sql.ts'
import { newApiKey } from '../../model/accounts/login/api-key.ts'
import { renewChannelStatistics } from '../../model/channels/activity/channel-statistics.ts'
import { fillPostings } from '../../model/sending/store-message.ts'
import { joinChannel } from '../../model/subscriptions/join-and-announce.ts'
import {
  defaultChannelIds,
  defaultPermissions,
  findChannel,
  insertChannel,
} from '../../store/channels/channel-rows.ts'
import { openConversation } from '../../store/messages/conversation-rows.ts'
import { putFlagBits } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { clientId, newestMessageId } from '../../store/messages/message-rows.ts'
import { openTopic } from '../../store/messages/topic-rows.ts'
import { insertReaction } from '../../store/reactions/reaction-rows.ts'
import { changeUser, findUsers, insertUser, listUsers } from '../../store/users/user-rows.ts'
import type { SeedPerson } from './seed-plan.ts'

/** A channel to enter, with numbers replaced by ids. */
interface EnteredChannel {
  readonly name: string
  readonly isPrivate: boolean
  readonly historyPublic: boolean
  readonly creatorId: number
  readonly memberIds: readonly number[]
}

export interface EnteredMessage {
  readonly senderId: number
  readonly to:
    | { readonly channelId: number; readonly topic: string }
    | { readonly memberIds: readonly number[] }
  /** UNIX seconds. */
  readonly sentAt: number
  readonly bits: number
  readonly mentionedId: number | undefined
  readonly reactingIds: readonly number[]
}

/** A slice of a seeded organization, entered in one commit. */
export type SeedSlice =
  | { readonly kind: 'begin'; readonly ownerId: number }
  | { readonly kind: 'people'; readonly people: readonly SeedPerson[] }
  | { readonly kind: 'channels'; readonly channels: readonly EnteredChannel[] }
  | { readonly kind: 'messages'; readonly firstId: number; readonly messages: readonly EnteredMessage[] }
  /** Pairs of a user and the last message that the user has read, and some later ones read out of order. */
  | { readonly kind: 'reads'; readonly reads: readonly (readonly [userId: number, upTo: number])[] }
  | { readonly kind: 'postings' }
  | { readonly kind: 'statistics' }

/** The answer to `begin` if the organization already has people besides the owner. */
export const INHABITED = -1

const THUMB = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const

/**
 * Enters a slice through the functions that maintain the rows of an organization, without events: no client listens to an organization
 * being seeded. Returns the first id made, or for messages the newest; for `postings`, 1 while more are left.
 */
export function insertSeed(tx: RealmTransaction, slice: SeedSlice): number {
  switch (slice.kind) {
    case 'begin':
      if (listUsers(tx.sql).length > 1) return INHABITED
      changeUser(tx.sql, slice.ownerId, { joinedAt: tx.now })
      return newestMessageId(tx.sql)
    case 'people':
      return insertPeople(tx, slice.people)
    case 'channels':
      return addChannels(tx, slice.channels)
    case 'messages':
      return insertMessages(tx, slice.firstId, slice.messages)
    case 'reads':
      return insertReads(tx, slice.reads)
    case 'postings':
      return fillPostings(tx) === undefined ? 0 : 1
    case 'statistics':
      renewChannelStatistics(tx)
      return 0
  }
}

function insertPeople(tx: RealmTransaction, people: readonly SeedPerson[]): number {
  const ids = people.map(({ fullName, email, role }) => {
    const apiKey = newApiKey(tx)
    return insertUser(tx.sql, {
      fullName,
      deliveryEmail: email,
      role,
      apiKey,
      joinedAt: tx.now,
      passwordHash: null,
      settings: {},
      readFloor: newestMessageId(tx.sql),
    })
  })
  for (const channelId of defaultChannelIds(tx.sql)) joinChannel(tx, findChannel(tx.sql, channelId)!, ids)
  return ids[0]!
}

function addChannels(tx: RealmTransaction, channels: readonly EnteredChannel[]): number {
  const ids = channels.map(({ name, isPrivate, historyPublic, creatorId, memberIds }) => {
    const id = insertChannel(tx.sql, {
      name,
      description: `Seeded as ${name}.`,
      renderedDescription: `<p>Seeded as ${name}.</p>`,
      createdAt: tx.now,
      creatorId,
      isPrivate,
      isWebPublic: false,
      historyPublicToSubscribers: historyPublic,
      isDefault: false,
      retentionDays: null,
      folderId: null,
      settings: defaultPermissions(creatorId),
    })
    joinChannel(tx, findChannel(tx.sql, id)!, memberIds)
    return id
  })
  return ids[0]!
}

function insertMessages(tx: RealmTransaction, firstId: number, messages: readonly EnteredMessage[]): number {
  if (newestMessageId(tx.sql) !== firstId - 1) throw new Error('Another user is sending in this organization')
  const client = clientId(tx.sql, 'website')
  const firsts = new Map<number, number>()
  const recipientOf = recipientsIn(tx)
  const lines = messages.map(({ to, senderId, sentAt, bits }, at): IndexLine => {
    const id = firstId + at
    if ('channelId' in to && !firsts.has(to.channelId)) firsts.set(to.channelId, id)
    return [id, ...recipientOf(to), senderId, client, sentAt, bits]
  })
  insertIndexLines(tx.sql, lines)
  noteFirstMessages(tx.sql, firsts)
  messages.forEach(({ mentionedId, reactingIds }, at) => {
    const messageId = firstId + at
    if (mentionedId !== undefined) putFlagBits(tx.sql, mentionedId, messageId, FLAG_BIT.mentioned)
    for (const userId of reactingIds) insertReaction(tx.sql, { messageId, userId, ...THUMB })
  })
  return firstId + messages.length - 1
}

/** Returns a function that finds the recipient's id and the topic. Each is looked up once. */
function recipientsIn({ sql }: RealmTransaction): (to: EnteredMessage['to']) => [number, number] {
  const known = new Map<string, [number, number]>()
  const look = (to: EnteredMessage['to']): [number, number] =>
    'channelId' in to
      ? [channelRecipientId(to.channelId), openTopic(sql, to.channelId, to.topic).id]
      : [recipientId({ kind: 'conversation', id: openConversation(sql, to.memberIds).id }), 0]
  return (to) => {
    const key = 'channelId' in to ? `${to.channelId} ${to.topic}` : to.memberIds.join()
    const recipient = known.get(key) ?? look(to)
    known.set(key, recipient)
    return recipient
  }
}

function insertReads(tx: RealmTransaction, reads: readonly (readonly [number, number])[]): number {
  const users = findUsers(
    tx.sql,
    reads.map(([userId]) => userId),
  )
  for (const [userId, upTo] of reads) {
    const read = new ReadSet(tx.sql, users.get(userId)!)
    read.raiseFloor(tx.sql, upTo)
    // Some people skipped a message, or read ahead.
    if (userId % 5 === 0 && upTo > 1) read.delete(upTo - 1)
    if (userId % 7 === 0) read.add(upTo + 2)
    read.save(tx.sql)
  }
  return 0
}

/** A row of the message index, in column order: see store/messages/message-rows.ts. */
type IndexLine = readonly [
  id: number,
  recipientId: number,
  topicId: number,
  senderId: number,
  clientId: number,
  sentAt: number,
  bits: number,
]

function insertIndexLines(sql: WritableSql, lines: readonly IndexLine[]): void {
  sql.run(
    `INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6 FROM json_each(?)`,
    lines,
  )
}

/** Sets the first message of each channel that has none yet. */
function noteFirstMessages(sql: WritableSql, firsts: ReadonlyMap<number, number>): void {
  sql.run(
    `UPDATE channel SET first_message_id = (SELECT value->>1 FROM json_each(?1) WHERE value->>0 = channel.id)
     WHERE first_message_id IS NULL AND id IN (SELECT value->>0 FROM json_each(?1))`,
    [...firsts],
  )
}
