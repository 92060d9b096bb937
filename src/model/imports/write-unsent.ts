import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import {
  insertDraft,
  insertReminder,
  insertScheduledMessage,
  markScheduledMessageFailed,
  type ScheduledDestination,
} from '../../store/unsent/unsent-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { messageAccess } from '../messages/read/message-access.ts'
import { compose, type Destination } from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { renderText } from '../messages/text/render-text.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { MAX_NOTE_LENGTH, reminderText } from '../reminders/reminder-text.ts'
import { scheduleDelivery } from '../scheduled-messages/emit-scheduled.ts'
import { MAX_RECIPIENTS } from '../sending/resolve-destination.ts'
import { claimForScheduled } from '../uploads/claim-attachments.ts'
import { textUpTo, topicNamed } from './fit-text.ts'
import { mayWriteInto } from './import-rights.ts'
import {
  authorFor,
  IMPORT_CLIENT,
  type ImportWork,
  noteTarget,
  participantsOf,
  targetOf,
} from './import-work.ts'
import { textOf } from './message-text.ts'
import { isLeftOut } from './write-channel.ts'
import { accountFor } from './write-personal.ts'

/** The destination of a draft or a scheduled message, also in its stored form. */
interface Place {
  readonly destination: Destination
  readonly stored: ScheduledDestination
}

/** Enters a draft, which nobody but its author ever sees. */
export function writeDraft(tx: RealmTransaction, work: ImportWork, record: RecordOf<'draft'>): void {
  if (targetOf(tx, work, 'draft', record.id) !== undefined) return
  const author = authorOf(tx, work, record)
  if (!author) return
  const isOpen = record.channel === undefined && record.to === undefined
  const place = isOpen ? undefined : placeOf(tx, work, record, author)
  if (!isOpen && !place) {
    work.tally.count('written', 'drafts left out')
    return
  }
  const nowhere: Destination = { kind: 'direct', participants: [author.user] }
  if (record.content.trim() === '') return
  const { content } = textOf(tx, work, { content: record.content }, place?.destination ?? nowhere)
  if (!hasRoom(tx, 'drafts', author.user.id)) {
    work.tally.problem('no room for more drafts', record.user)
    return
  }
  const stored = place?.stored
  const { id } = insertDraft(tx.sql, author.user.id, {
    type: stored === undefined ? '' : stored.kind === 'channel' ? 'stream' : 'private',
    to: stored === undefined ? [] : stored.kind === 'channel' ? [stored.channelId] : [...stored.userIds],
    topic: stored?.kind === 'channel' ? stored.topic : '',
    content,
    timestamp: Math.round((record.edited_ms ?? tx.now * 1_000) * 1_000) / 1e6,
  })
  noteTarget(tx, work, 'draft', record.id, id, 'drafts')
}

/** Enters a scheduled message. If its time has passed, it waits for its author like one that could not be sent. */
export function writeScheduledMessage(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'scheduled_message'>,
): void {
  if (targetOf(tx, work, 'scheduled_message', record.id) !== undefined) return
  const author = authorOf(tx, work, record)
  const place = author && placeOf(tx, work, record, author)
  if (!author || !place || record.content.trim() === '') {
    work.tally.count('written', 'scheduled messages left out')
    return
  }
  const userId = author.user.id
  if (!hasRoom(tx, 'scheduled', userId)) {
    work.tally.problem('no room for more scheduled messages', record.user)
    return
  }
  const { content, files } = textOf(tx, work, { content: record.content }, place.destination)
  const paths = files.map(({ path }) => path)
  const { rendered } = compose(tx, author, place.destination, content, tx.origin, { at: paths })
  const dueAt = Math.floor(record.due_ms / 1_000)
  const id = insertScheduledMessage(tx.sql, {
    userId,
    destination: place.stored,
    content,
    renderedContent: rendered.html,
    dueAt,
    client: IMPORT_CLIENT,
    origin: tx.origin,
    readBySender: true,
  })
  claimForScheduled(tx, id, rendered.uploadPaths)
  if (record.failed || dueAt <= tx.now) markScheduledMessageFailed(tx.sql, id)
  else scheduleDelivery(tx, id, dueAt)
  noteTarget(tx, work, 'scheduled_message', record.id, id, 'scheduled messages')
}

/** Enters a reminder of an imported message. One whose time has passed is left out, since it was delivered there. */
export function writeReminder(tx: RealmTransaction, work: ImportWork, record: RecordOf<'reminder'>): void {
  if (targetOf(tx, work, 'reminder', record.id) !== undefined) return
  const author = authorOf(tx, work, record)
  const target = targetOf(tx, work, 'message', record.message)
  const message = target === undefined ? undefined : findMessage(tx.sql, target)
  const dueAt = Math.floor(record.due_ms / 1_000)
  const isReadable = author && message && mayReadMessage(author.actor, messageAccess(tx, author, message))
  if (!author || !message || !isReadable || dueAt <= tx.now) {
    work.tally.count('written', 'reminders left out')
    return
  }
  const userId = author.user.id
  if (!hasRoom(tx, 'reminders', userId)) {
    work.tally.problem('no room for more reminders', record.user)
    return
  }
  const note = textUpTo(work, record.note ?? '', MAX_NOTE_LENGTH, 'reminder.note')
  const { origin } = tx
  const content = reminderText(tx, message, { note, origin })
  const id = insertReminder(tx.sql, {
    userId,
    messageId: message.id,
    content,
    renderedContent: renderText(tx, author, content, origin, {}).html,
    note,
    origin,
    dueAt,
  })
  tx.schedule({ kind: 'deliver-reminder', key: String(id), dueAt })
  noteTarget(tx, work, 'reminder', record.id, id, 'reminders')
}

function authorOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: { readonly type: string; readonly user: string },
): Author | undefined {
  const userId = accountFor(tx, work, record)
  const user = userId === undefined ? undefined : findUser(tx.sql, userId)
  return user && authorFor(tx, user)
}

/** Returns the destination of a record; undefined if that was left out, or one of the people is missing. */
function placeOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'draft' | 'scheduled_message'>,
  { user }: Author,
): Place | undefined {
  if (record.channel !== undefined) {
    const channelId = targetOf(tx, work, 'channel', record.channel)
    const channel = channelId === undefined ? undefined : findChannel(tx.sql, channelId)
    if (!channel || isLeftOut(tx, work, record.channel)) return undefined
    const topic = topicNamed(work, record.topic ?? '')
    if (!mayWriteInto(tx, work, record.channel, { channel, topic, what: `${record.type} ${record.id}` }))
      return undefined
    return {
      destination: { kind: 'channel', channel, topic },
      stored: { kind: 'channel', channelId: channel.id, topic },
    }
  }
  const named = new Set(record.to ?? [])
  if (record.to === undefined || named.size > MAX_RECIPIENTS + 1) return undefined
  const userIds = [...named].map((id) => targetOf(tx, work, 'user', id)).filter((id) => id !== undefined)
  if (userIds.length < named.size) return undefined
  const participants = participantsOf(tx, new Set([...userIds, user.id]))
  return { destination: { kind: 'direct', participants }, stored: { kind: 'direct', userIds } }
}
