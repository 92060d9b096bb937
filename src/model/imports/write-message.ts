import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { putAwaiting } from '../../store/imports/imported-rows.ts'
import { putFlagBitsOfUsers } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { insertReaction } from '../../store/reactions/reaction-rows.ts'
import { insertSubmessage } from '../../store/submessages/submessage-rows.ts'
import { contentBits, indexRowOf, insertBody } from '../sending/store-message.ts'
import { IMPORT_CLIENT, type ImportWork, targetOf, unlessRefused } from './import-work.ts'
import { authorOf, claimFiles, destinationOf, placeOf } from './message-place.ts'
import { composeAs, textOf } from './message-text.ts'
import { digestOfMissing, textDigest, updateMessage, type WorkOnMessages } from './update-message.ts'
import { earlierVersions, importEdits } from './write-edits.ts'
import { givenReactions, MARKS_OF_MESSAGE, marksOf } from './write-reactions.ts'
import { widgetEntries } from './write-widget.ts'

/** Writes a message with its reactions, marks and entries, without an event. It arrives read, except for those who have not read it there. */
export function writeMessage(tx: RealmTransaction, work: WorkOnMessages, record: RecordOf<'message'>): void {
  const { messages, tally } = work
  const known = messages.find(record.id)
  unlessRefused(work, 'message that cannot be shown', record.id, () => {
    if (known) {
      updateMessage(tx, work, record, known)
      return
    }
    const author = authorOf(tx, work, record)
    const destination = author && destinationOf(tx, work, record, author)
    if (!destination) return
    const { content, files, missing } = textOf(tx, work, record, destination)
    const pictures = { at: files.map(({ path }) => path) }
    const message = composeAs(tx, work, record.sender, { author, destination, content, pictures })
    const edited = earlierVersions(tx, work, record, message)
    const reactions = givenReactions(tx, work, record)
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
    insertBody(tx, id, message)
    for (const reaction of reactions) insertReaction(tx.sql, { messageId: id, ...reaction })
    tally.count('written', 'reactions', reactions.length)
    for (const entry of entries) insertSubmessage(tx.sql, { messageId: id, type: 'widget', ...entry })
    tally.count('written', 'entries of polls and to-do lists', Math.max(entries.length - 1, 0))
    messages.note({
      id: record.id,
      targetId: id,
      digest: textDigest(record),
      version: edited.editedAt === null ? 0 : 1,
      reactions: reactions.length + entries.length,
      place: placeOf(tx, work, record) ?? null,
      marks: marksOf(reactions),
      destination,
    })
    tally.count('written', destination.kind === 'channel' ? 'messages' : 'direct messages')
    if (edited.editedAt !== null || edited.history.length > 0) {
      messages.write()
      importEdits(tx, work, id, edited)
    }
    claimFiles(tx, work, id, author, files, message.rendered.uploadPaths)
    if (missing.length > 0) {
      const awaiting = { sourceId: work.sourceId, importId: work.imported.id, id: record.id, targetId: id }
      putAwaiting(tx.sql, awaiting, digestOfMissing(missing))
    }
    writeFlags(tx, work, record, id)
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
