import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { TextLine } from '../../../model/backups/backup-form.ts'
import { writeFormerMessages } from '../../../model/backups/former-messages.ts'
import { actorOf } from '../../../model/caller.ts'
import { isOwner } from '../../../rules/roles.ts'
import {
  countFindings,
  deleteFindings,
  type Finding,
  findingsAt,
  hasFindings,
  putFindings,
} from '../../../store/backups/finding-rows.ts'
import type { BackupPart, ReadingProgress } from '../../../store/backups/reading-rows.ts'
import type { StoredRow } from '../../../store/backups/table-rows.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { topicById, topicKey } from '../../../store/messages/topic-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'
import type { ReadingWork } from './reading-work.ts'

/** Kinds of findings: names of topics by id; rows of messages to be written; ids of those that were. */
const TOPIC = 'topic'
const WANTED = 'wanted'
export const GIVEN = 'given'

/** Messages of one commit, and the characters of their texts: writing them takes some 30 ms. */
const MESSAGES_AT_ONCE = { messages: 100, characters: 300_000 }

/** Notes the topics of the part: those whose messages are meant, or whose names are needed since they are gone. */
export async function findTopics(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'topics' }>,
): Promise<void> {
  const part = partOf(work)
  const read = await work.rowsAt('topic', ['id'], progress)
  work.commit(progress, (tx) => {
    const { rows, next } = read(tx)
    const topics = rows.flatMap((row): Finding[] => {
      const { id, channel_id, name } = row as { id: number; channel_id: number; name: string }
      const today = topicById(tx.sql, id)
      return isTopicOfPart(part, channel_id, name, today) ? [{ key: id, value: name }] : []
    })
    putFindings(tx.sql, TOPIC, topics)
    return next ? { stage: 'topics', ...next } : { stage: 'find', chunk: 0, line: 0 }
  })
}

function isTopicOfPart(
  part: BackupPart,
  channelId: number,
  name: string,
  today: { readonly channelId: number; readonly name: string } | undefined,
): boolean {
  if ('userId' in part) return today?.channelId !== channelId
  if (part.channelId !== channelId) return false
  if (part.topic === null) return today?.channelId !== channelId
  const key = topicKey(part.topic)
  return topicKey(name) === key || (today?.channelId === channelId && topicKey(today.name) === key)
}

/** Notes the messages of the part that are not there today. */
export async function findGoneMessages(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'find' }>,
): Promise<void> {
  const part = partOf(work)
  const read = await work.rowsAt('message_index', ['id'], progress)
  work.commit(progress, (tx, count) => {
    const { sql } = tx
    const { rows, next } = read(tx)
    const messages = rows.map(messageOf)
    const topics =
      'userId' in part || part.topic === null
        ? undefined
        : findingsAt(sql, TOPIC, [...new Set(messages.map(({ topicId }) => topicId))])
    const meant = messages.filter((message) => isOfPart(part, topics, message))
    const there = new Set(
      findMessages(
        sql,
        meant.map(({ id }) => id),
      ).map(({ id }) => id),
    )
    count({ left_alone: there.size })
    const gone = meant.filter(({ id }) => !there.has(id))
    putFindings(
      sql,
      WANTED,
      gone.map((message) => ({ key: message.id, value: JSON.stringify(message) })),
    )
    return next ? { stage: 'find', ...next } : { stage: 'write', chunk: 0, line: 0 }
  })
}

function isOfPart(
  part: BackupPart,
  topics: ReadonlyMap<number | string, unknown> | undefined,
  { recipientId, topicId, senderId }: IndexedMessage,
): boolean {
  if ('userId' in part) return senderId === part.userId
  const recipient = recipientOf(recipientId)
  if (recipient.kind !== 'channel' || recipient.id !== part.channelId) return false
  return topics === undefined || topics.has(topicId)
}

/** Writes some messages: those whose texts are in the next lines. A text may be in several chunks; that of the message's version counts. */
export async function writeMessages(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'write' }>,
): Promise<void> {
  const { chunk, line } = progress
  const name = work.manifest.texts[chunk]
  if (name === undefined || !hasFindings(work.runtime.sql, WANTED)) {
    return work.commit(progress, ({ sql }, count) => {
      count({ without_text: countFindings(sql, WANTED) })
      return { stage: 'belongings', table: 0, chunk: 0, line: 0 }
    })
  }
  const lines = await work.lines<TextLine>(name)
  const some = firstTexts(lines.slice(line))
  work.commit(progress, (tx, count) => {
    const wanted = findingsAt(
      tx.sql,
      WANTED,
      some.map(([id]) => id),
    )
    const messages = some.flatMap((text) => {
      const value = wanted.get(text[0])
      const message = value == null ? undefined : fromJson(value as JsonText<IndexedMessage>)
      return message?.version === text[1] ? [{ message, text }] : []
    })
    writeAll(tx, work, messages, count)
    const upTo = line + some.length
    return {
      stage: 'write',
      ...(upTo < lines.length ? { chunk, line: upTo } : { chunk: chunk + 1, line: 0 }),
    }
  })
}

function writeAll(
  tx: RealmTransaction,
  { reading }: ReadingWork,
  messages: Parameters<typeof writeFormerMessages>[2],
  count: (counts: Record<string, number>) => void,
): void {
  if (messages.length === 0) return
  const user = findUser(tx.sql, reading.askedBy)
  const topicIds = [...new Set(messages.map(({ message }) => message.topicId))]
  const names = findingsAt(tx.sql, TOPIC, topicIds)
  const nameOf = (id: number) => {
    return names.get(id) ?? undefined
  }
  // Whoever is no owner any more gives nothing back.
  const isAllowed = user?.isActive === true && isOwner(user)
  const { ids, hidden, ofDeleted } = isAllowed
    ? writeFormerMessages(tx, { user, actor: actorOf(tx.sql, user, tx.now) }, messages, nameOf)
    : { ids: [], hidden: messages.length, ofDeleted: 0 }
  count({ messages: ids.length, hidden, of_deleted_people: ofDeleted })
  putFindings(
    tx.sql,
    GIVEN,
    ids.map((key) => ({ key, value: null })),
  )
  deleteFindings(
    tx.sql,
    WANTED,
    messages.map(({ message }) => message.id),
  )
}

/** Returns as many of the texts as one commit writes, at least one. */
function firstTexts(lines: readonly TextLine[]): readonly TextLine[] {
  let characters = 0
  const end = lines.findIndex(([, , content, html, history], at) => {
    characters += content.length + html.length + history.length
    return at === MESSAGES_AT_ONCE.messages || (at > 0 && characters > MESSAGES_AT_ONCE.characters)
  })
  return end < 0 ? lines : lines.slice(0, end)
}

function messageOf(row: StoredRow): IndexedMessage {
  const number = (name: string) => Number(row[name])
  const orNull = (name: string) => (row[name] === null ? null : number(name))
  return {
    id: number('id'),
    recipientId: number('recipient_id'),
    topicId: number('topic_id'),
    topicSpelling: row.topic_spelling === null ? null : String(row.topic_spelling),
    senderId: number('sender_id'),
    clientId: number('client_id'),
    sentAt: number('sent_at'),
    bits: number('bits'),
    version: number('version'),
    editedAt: orNull('edited_at'),
    movedAt: null,
    moveId: orNull('move_id'),
  }
}

function partOf({ reading }: ReadingWork): BackupPart {
  if (!reading.part) throw new Error(`The reading ${reading.id} gives nothing back`)
  return reading.part
}
