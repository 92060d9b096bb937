import { Buffer } from 'node:buffer'
import { TEXT_OF_TURN } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Edit, RecordOf } from '../../imports/neutral.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { editInIndex } from '../../store/messages/move/topic-message-rows.ts'
import { REPLACED_BITS } from '../messages/edit/edit-content.ts'
import { type StoredContentEdit, withEdit } from '../messages/edit/edit-history.ts'
import type { Composition } from '../messages/send/compose.ts'
import { contentBits } from '../messages/send/store-message.ts'
import { topicNamed } from './fit-text.ts'
import { type ImportWork, targetOf, unlessRefused } from './import-work.ts'
import { composeAs, textOf } from './message-text.ts'

/** Limit of a message's earlier versions, since each is rendered as well. */
const EDITS_OF_MESSAGE = 20

/** An edit of the text, the topic or the channel in the form of the edit history. */
type StoredEdit = Partial<StoredContentEdit> &
  Pick<StoredContentEdit, 'user_id' | 'timestamp' | 'seq'> & {
    readonly prev_topic?: string
    readonly topic?: string
    readonly prev_stream?: number
    readonly stream?: number
  }

/** A message before it is entered, with its earlier versions. */
export interface EditedMessage {
  readonly message: Composition
  /** The newest first. */
  readonly history: readonly StoredEdit[]
  /** UNIX seconds; null for a message that was not edited. */
  readonly editedAt: number | null
}

/** Returns the edits whose earlier versions are kept, the newest first. */
export function newestEdits(edits: readonly Edit[]): Edit[] {
  return edits.toSorted((one, other) => other.time_ms - one.time_ms).slice(0, EDITS_OF_MESSAGE)
}

/** Renders the earlier versions of a message, without the oldest if they are too much for one commit. This happens before the message is written. */
export function earlierVersions(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'message'>,
  message: Composition,
): EditedMessage {
  const { edits = [], edited_ms } = record
  const newest = newestEdits(edits)
  const { destination, author } = message
  let dropped = edits.length - newest.length
  // The body of an edited message is written twice.
  let room = TEXT_OF_TURN - 2 * bytesOf(message.content, message.rendered.html)
  let topic = destination.kind === 'channel' ? destination.topic : undefined
  let channelId = destination.kind === 'channel' ? destination.channel.id : undefined
  const history = newest.flatMap((edit, at): StoredEdit[] => {
    if (room < 0) {
      dropped += 1
      return []
    }
    const before = {
      topic: topicBefore(work, edit, topic),
      text: textBefore(tx, work, record, edit, message),
    }
    if (before.text) room -= bytesOf(before.text.prev_content, before.text.prev_rendered_content)
    if (room < 0) {
      dropped += 1
      return []
    }
    const isRenamed = topic !== undefined && before.topic !== undefined && before.topic !== topic
    const renamed = isRenamed ? { prev_topic: before.topic!, topic: topic! } : undefined
    topic = before.topic ?? topic
    const channelBefore = channelOf(tx, work, edit, channelId)
    const isMoved = channelBefore !== channelId
    const moved = isMoved ? { prev_stream: channelBefore!, stream: channelId! } : undefined
    channelId = channelBefore
    if (!renamed && !moved && !before.text) return []
    return [
      {
        user_id:
          (edit.user === undefined ? undefined : targetOf(tx, work, 'user', edit.user)) ?? author.user.id,
        timestamp: Math.floor(edit.time_ms / 1_000),
        ...before.text,
        ...renamed,
        ...moved,
        // In their order, before everything that happens here.
        seq: (newest.length - at) / (newest.length + 1),
      },
    ]
  })
  if (dropped > 0) work.tally.count('passedOver', 'message.edits[]', dropped)
  const ofText = history.find(({ prev_content }) => prev_content !== undefined)?.timestamp
  const editedAt = edited_ms === undefined ? ofText : Math.floor(edited_ms / 1_000)
  return { message, history, editedAt: editedAt ?? null }
}

function bytesOf(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function topicBefore(work: ImportWork, edit: Edit, topic: string | undefined): string | undefined {
  return topic === undefined || edit.topic === undefined ? undefined : topicNamed(work, edit.topic)
}

/** Returns the channel of a message before an edit, if that channel is here. */
function channelOf(
  tx: RealmTransaction,
  work: ImportWork,
  { channel }: Edit,
  after: number | undefined,
): number | undefined {
  if (channel === undefined || after === undefined) return after
  const before = targetOf(tx, work, 'channel', channel)
  if (before === undefined) work.tally.count('passedOver', 'message.edits[].channel')
  return before ?? after
}

function textBefore(
  tx: RealmTransaction,
  work: ImportWork,
  { id, sender }: RecordOf<'message'>,
  { content: given }: Edit,
  { author, destination }: Composition,
): Pick<StoredContentEdit, 'prev_content' | 'prev_rendered_content'> | undefined {
  if (given === undefined) return undefined
  return unlessRefused(work, 'earlier version that cannot be shown', id, () => {
    const { content, files } = textOf(tx, work, { content: given }, destination)
    const pictures = { at: files.map(({ path }) => path) }
    const { rendered } = composeAs(tx, work, sender, { author, destination, content, pictures })
    return { prev_content: content, prev_rendered_content: rendered.html }
  })
}

/** Replaces the text and the earlier versions of a message that an earlier import has made. Returns its new version. */
export function replaceText(
  tx: RealmTransaction,
  { id, bits, version }: IndexedMessage,
  { message, history, editedAt }: EditedMessage,
): number {
  editInIndex(tx.sql, id, {
    bits: (bits & ~REPLACED_BITS) | contentBits(message),
    editedAt: editedAt ?? tx.now,
  })
  writeBody(tx, id, version + 1, message, history)
  return version + 1
}

/** Enters the time of the last edit and the earlier versions of a message whose row exists. */
export function enterEdits(
  tx: RealmTransaction,
  { tally }: ImportWork,
  messageId: number,
  { message, history, editedAt }: EditedMessage,
): void {
  const { bits, version } = findMessage(tx.sql, messageId)!
  // The body needs the index's next version too. With its history the message is no longer short.
  if (editedAt !== null) editInIndex(tx.sql, messageId, { bits: bits & ~MESSAGE_BIT.isShort, editedAt })
  tally.count('written', 'edited messages')
  writeBody(tx, messageId, editedAt === null ? version : version + 1, message, history)
}

function writeBody(
  tx: RealmTransaction,
  messageId: number,
  version: number,
  message: Composition,
  history: EditedMessage['history'],
): void {
  const kept = history
    .toReversed()
    .reduce((before: readonly StoredContentEdit[], edit) => withEdit(edit as StoredContentEdit, before), [])
  tx.writeToD1({
    statement: 'replace-message-body',
    row: [messageId, version, message.content, message.rendered.html, JSON.stringify(kept)],
  })
}
