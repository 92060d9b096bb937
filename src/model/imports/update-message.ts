import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { type ImportChange, insertChanges } from '../../store/imports/import-change-rows.ts'
import { type Facts, type KnownMessage, putAwaiting, putFacts } from '../../store/imports/imported-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { putInTopic } from '../../store/messages/move/message-move-rows.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import { openTopic } from '../../store/messages/topic-rows.ts'
import {
  deleteReaction,
  insertReaction,
  reactionsOf,
  settleReactions,
} from '../../store/reactions/reaction-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { noteEmptiedTopics } from '../editing/delete-messages.ts'
import { destinationOf as presentDestination } from '../editing/edit-content.ts'
import type { Destination } from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { releaseOthers } from '../uploads/claim-attachments.ts'
import { digestOf } from './digest.ts'
import { isOwn, NOT_ALLOWED, refusalOfChannel } from './import-rights.ts'
import { type ImportWork, targetOf } from './import-work.ts'
import type { MadeMessages } from './made-messages.ts'
import { authorOf, claimFiles, destinationOf, placeIn, placeOf } from './message-place.ts'
import { composeAs, textOf } from './message-text.ts'
import { earlierVersions, replaceText } from './write-edits.ts'
import { type Given, givenReactions, keyOfReaction, marksOf } from './write-reactions.ts'

/**
 * A further import of a source, and the messages that it finds here. Files that were missing are added, whatever the archive. New texts, topics and
 * reactions come from an archive that is no older than those before it; what somebody has changed here stays.
 */

export type WorkOnMessages = ImportWork & { readonly messages: MadeMessages }

/** Returns a digest of a message's text at the source. */
export function textDigest({ content, edited_ms, files }: RecordOf<'message'>): number {
  return digestOf(JSON.stringify([content, edited_ms, files]))
}

/** Returns a digest of the files that a message lacks. */
export function digestOfMissing(missing: readonly string[]): number {
  return digestOf([...new Set(missing)].sort().join('\n'))
}

const NO_FILES = digestOfMissing([])

/** Whether a message was written without files that it has at the source. */
export function lacksFiles(messages: MadeMessages, id: string): boolean {
  return ![undefined, NO_FILES].includes(messages.awaits(id))
}

/** The message here, and what changes of it. */
interface Update {
  readonly record: RecordOf<'message'>
  readonly known: KnownMessage
  readonly message: IndexedMessage
  readonly author: Author
  readonly destination: Destination
  facts: Facts
  readonly changes: ImportChange[]
}

/** Brings a message up to the archive that an earlier import has brought. */
export function updateMessage(
  tx: RealmTransaction,
  work: WorkOnMessages,
  record: RecordOf<'message'>,
  known: KnownMessage,
): void {
  const { imported, messages, tally } = work
  const isOlder = imported.report.isOlder === true
  const hasNewText = known.digest !== textDigest(record)
  const awaits = lacksFiles(messages, record.id)
  const place = isOlder || known.place === null ? undefined : placeOf(tx, work, record)
  const isElsewhere = place !== undefined && place !== known.place
  const given = isOlder ? undefined : newReactions(tx, work, record, known)
  if (!hasNewText && !awaits && !isElsewhere && !given) return
  const author = authorOf(tx, work, record)
  const destination = author && destinationOf(tx, work, record, author)
  if (!destination) return
  const isOfThis = known.importId === imported.id
  if (!isOfThis && !isOwn(tx, work, 'message', record.id)) {
    tally.problem(NOT_ALLOWED, `message ${record.id}: another owner has imported it`)
    return
  }
  // This commit may have made it.
  messages.write()
  const message = findMessage(tx.sql, known.targetId)
  if (!message) {
    if (hasNewText) tally.count('written', 'messages deleted here, and left so')
    return
  }
  const before: Facts = { ...known }
  const update: Update = { ...{ record, known, message, author, destination }, facts: before, changes: [] }
  if (hasNewText || awaits) changeText(tx, work, update, { hasNewText, isOlder })
  if (isElsewhere) changeTopic(tx, work, update, place)
  if (given) changeReactions(tx, work, update, given)
  if (update.facts === before) return
  putFacts(tx.sql, { sourceId: work.sourceId, type: 'message', id: record.id }, update.facts)
  if (isOfThis) return
  const facts = { kind: 'facts', type: 'message', id: record.id, facts: factsOf(before) } as const
  insertChanges(tx.sql, imported.id, [...update.changes, facts])
}

function factsOf({ digest, version, reactions, place, marks }: Facts): Facts {
  return { digest, version, reactions, place, marks }
}

/** Gives a message its present text of the source, or the files that it lacked, unless it was edited here. */
function changeText(
  tx: RealmTransaction,
  work: WorkOnMessages,
  update: Update,
  { hasNewText, isOlder }: { readonly hasNewText: boolean; readonly isOlder: boolean },
): void {
  const { tally, messages } = work
  const { record, known, message, author } = update
  if (message.version !== known.version) {
    if (hasNewText) tally.count('written', 'messages edited here, and left so')
    return
  }
  const takesText = hasNewText && (!isOlder || isEditedAfter(record, message))
  if (hasNewText && !takesText) return
  const destination = presentDestination(tx, message)
  const isMoved =
    destination.kind === 'channel' &&
    (record.channel === undefined || targetOf(tx, work, 'channel', record.channel) !== destination.channel.id)
  const refusal = isMoved ? refusalOfChannel(tx, work.owner, destination.channel) : undefined
  if (refusal !== undefined) {
    tally.problem(NOT_ALLOWED, `message ${record.id}, which was moved: ${refusal}`)
    return
  }
  const { content, files, missing } = textOf(tx, work, record, destination)
  const lack = digestOfMissing(missing)
  if (!takesText && lack === messages.awaits(record.id)) return
  const pictures = { at: files.map(({ path }) => path) }
  const composition = composeAs(tx, work, record.sender, { author, destination, content, pictures })
  const edited = earlierVersions(tx, work, record, composition)
  // What this import has made itself has no earlier version, and a commit cannot read what it writes.
  const body = known.importId === work.imported.id ? undefined : messages.bodyOf(message)
  const editedAt = takesText ? (edited.editedAt ?? tx.now) : message.editedAt
  const { version, added } = replaceText(tx, message, body, { ...edited, editedAt, isEdit: takesText })
  const { uploadPaths } = composition.rendered
  releaseOthers(tx, message.id, uploadPaths)
  claimFiles(tx, work, message.id, author, files, uploadPaths)
  noteAwaited(tx, work, update, missing)
  update.facts = { ...update.facts, digest: textDigest(record), version }
  const { id, bits, editedAt: editedBefore } = message
  update.changes.push({ kind: 'text', id, of: record.id, version, added, bits, editedAt: editedBefore })
  tally.count('written', takesText ? 'messages with a new text' : 'messages whose files came')
}

/** Whether the archive has a later edit of a message than the newer archive that was imported before. */
function isEditedAfter({ edited_ms }: RecordOf<'message'>, { editedAt }: IndexedMessage): boolean {
  return edited_ms !== undefined && Math.floor(edited_ms / 1_000) > (editedAt ?? 0)
}

/** Notes which files a message lacks, if it lacks any or did before. */
function noteAwaited(
  tx: RealmTransaction,
  { imported, messages, sourceId }: WorkOnMessages,
  { record: { id }, known: { targetId }, changes }: Update,
  missing: readonly string[],
): void {
  const before = messages.awaits(id)
  if (before === undefined && missing.length === 0) return
  putAwaiting(tx.sql, { sourceId, importId: imported.id, id, targetId }, digestOfMissing(missing))
  if (before === undefined) return
  const facts = { digest: before, version: null, reactions: null, place: null, marks: null }
  changes.push({ kind: 'facts', type: 'awaited_files', id, facts })
}

/** Moves a message to the topic that it has at the source now, as if it had come there, unless it was moved here. */
function changeTopic(tx: RealmTransaction, { tally }: ImportWork, update: Update, place: number): void {
  const { known, message, destination } = update
  if (destination.kind !== 'channel') return
  const { channel, topic } = destination
  const present = topicOfMessage(tx.sql, message)
  // A message that was moved to another channel there stays in the one where its readers are.
  if (!present || message.recipientId !== channelRecipientId(channel.id)) return
  update.facts = { ...update.facts, place }
  if (placeIn(channel.id, present.name) !== known.place) {
    tally.count('written', 'messages moved here, and left so')
    return
  }
  putInTopic(tx.sql, message.id, openTopic(tx.sql, channel.id, topic), topic)
  noteEmptiedTopics(tx, [present.id])
  update.changes.push({ kind: 'topic', id: message.id, from: present.name, to: topic })
  tally.count('written', 'messages with a new topic')
}

/** Returns the reactions that a message has there, if they are others than those that the last import has written. */
function newReactions(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'message'>,
  { marks }: KnownMessage,
): Given[] | undefined {
  // Of what an earlier build has imported nobody knows which were there.
  if (marks === null || ((record.reactions?.length ?? 0) === 0 && marks === marksOf([]))) return undefined
  const given = givenReactions(tx, work, record)
  return marksOf(given) === marks ? undefined : given
}

/** Adds reactions that came there, and removes those of accounts that nobody uses here and that were taken back there. */
function changeReactions(
  tx: RealmTransaction,
  { tally }: ImportWork,
  update: Update,
  given: readonly Given[],
): void {
  const { known, message } = update
  settleReactions(tx.sql, message.id)
  const here = reactionsOf(tx.sql, [message.id]).get(message.id) ?? []
  const users = findUsers(tx.sql, [...new Set(here.map(({ userId }) => userId))])
  const [keysHere, keysThere] = [new Set(here.map(keyOfReaction)), new Set(given.map(keyOfReaction))]
  const added = given.filter((one) => !keysHere.has(keyOfReaction(one)))
  const removed = here.filter(
    (one) => !keysThere.has(keyOfReaction(one)) && users.get(one.userId)?.awaitsLogin === true,
  )
  for (const one of added) insertReaction(tx.sql, { messageId: message.id, ...one })
  for (const one of removed) deleteReaction(tx.sql, one)
  markReactions(tx, message.id, here.length + added.length - removed.length > 0)
  const reactions = Math.max((known.reactions ?? 0) + added.length - removed.length, 0)
  update.facts = { ...update.facts, reactions, marks: marksOf(given) }
  const without = ({ userId, emoji_name, emoji_code, reaction_type }: Given): Given => {
    return { userId, emoji_name, emoji_code, reaction_type }
  }
  update.changes.push({
    kind: 'reactions',
    id: message.id,
    added: added.map(without),
    removed: removed.map(without),
  })
  tally.count('written', 'reactions', added.length)
  tally.count('written', 'reactions taken back', removed.length)
}

/** Sets whether a message has reactions. Its bits may have changed since it was read. */
export function markReactions(tx: RealmTransaction, messageId: number, hasAny: boolean): void {
  const { bits } = findMessage(tx.sql, messageId)!
  const marked = hasAny ? bits | MESSAGE_BIT.hasReaction : bits & ~MESSAGE_BIT.hasReaction
  if (marked !== bits) changeMessageBits(tx.sql, messageId, marked)
}
