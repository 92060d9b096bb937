import { Buffer } from 'node:buffer'
import { TEXT_OF_SLICE } from '../../core/budgets.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Edit, RecordOf } from '../../imports/neutral.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { editInIndex } from '../../store/messages/move/topic-message-rows.ts'
import { REPLACED_BITS } from '../editing/edit-content.ts'
import { type StoredContentEdit, withEdit } from '../messages/read/edit-history.ts'
import type { Composition } from '../messages/text/compose.ts'
import { contentBits } from '../sending/store-message.ts'
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
  let room = TEXT_OF_SLICE - 2 * bytesOf(message.content, message.rendered.html)
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

/**
 * Replaces the text of a message that an earlier import has made. The text that it had becomes an earlier version, after which come those that the
 * archive has besides. Returns the new version, and how many earlier ones were added. `isEdit`: whether the new text is one of the source, rather
 * than the same with its files; `body`: undefined for a message that the import itself has made.
 */
export function replaceText(
  tx: RealmTransaction,
  { id, bits, version, editedAt: before }: IndexedMessage,
  body: MessageBody | undefined,
  { message, history, editedAt, isEdit }: EditedMessage & { readonly isEdit: boolean },
): { readonly version: number; readonly added: number } {
  editInIndex(tx.sql, id, { bits: (bits & ~REPLACED_BITS) | contentBits(message), editedAt })
  if (!body) {
    writeBody(tx, id, version + 1, message, history)
    return { version: version + 1, added: 0 }
  }
  const stored = body.editHistory as readonly StoredEdit[]
  const since = Math.max(before ?? 0, stored[0]?.timestamp ?? 0)
  const newer = history.filter(({ timestamp }) => timestamp > since)
  const replaced = { prev_content: body.content, prev_rendered_content: body.renderedContent }
  const first = newer.findLast(({ prev_content }) => prev_content !== undefined)
  const edit = { user_id: message.author.user.id, timestamp: Math.floor(editedAt ?? tx.now), seq: 0 }
  const added = first
    ? newer.map((one) => (one === first ? { ...one, ...replaced } : one))
    : [...newer, { ...edit, ...replaced, ...(!isEdit && { isUnseen: true as const }) }]
  const last = Math.max(0, ...stored.map(({ seq }) => seq).filter((seq) => seq < 1))
  const numbered = added.map((one, at) => ({
    ...one,
    seq: last + ((1 - last) * (added.length - at)) / (added.length + 1),
  }))
  writeBody(tx, id, version + 1, message, [...numbered, ...stored])
  return { version: version + 1, added: added.length }
}

/** Gives a message the text that it had before so many earlier versions were added; undefined if those are gone. */
export function restoreText(
  tx: RealmTransaction,
  { id, bits, version }: IndexedMessage,
  { editHistory }: MessageBody,
  before: { readonly added: number; readonly bits: number; readonly editedAt: number | null },
): { readonly version: number; readonly html: string } | undefined {
  const stored = editHistory as readonly StoredEdit[]
  const last = stored.slice(0, before.added).findLast(({ prev_content }) => prev_content !== undefined)
  if (!last) return undefined
  const restored = (bits & ~REPLACED_BITS) | (before.bits & REPLACED_BITS)
  editInIndex(tx.sql, id, { bits: restored, editedAt: before.editedAt })
  tx.writeToD1({
    statement: 'replace-message-body',
    row: [
      ...([id, version + 1, last.prev_content!, last.prev_rendered_content!] as const),
      JSON.stringify(stored.slice(before.added)),
    ],
  })
  return { version: version + 1, html: last.prev_rendered_content! }
}

/** Enters the time of the last edit and the earlier versions of a message whose row exists. */
export function importEdits(
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
