import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WORD_LENGTH } from '../../api/input-limits.ts'
import {
  alias,
  described,
  jsonBoolean,
  jsonInteger,
  pathInteger,
  textUpTo,
  wordOf,
} from '../../api/parameter-types.ts'
import { attachment } from '../../api/shared-answers.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import { type Audience, toUsers } from '../../core/audience.ts'
import type { Commits } from '../../core/command.ts'
import { assert } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { inCommits } from '../../core/in-commits.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { attachmentFor } from '../../events/attachment.ts'
import type { StoredDeleteMessageEvent, StoredUpdateMessageEvent } from '../../events/message-changes.ts'
import { topicLinks } from '../../markdown/render.ts'
import { actorOf, type Caller } from '../../model/caller.ts'
import { composeEdit, editContent } from '../../model/editing/edit-content.ts'
import { movePins } from '../../model/editing/keep-pins.ts'
import { audienceOfMove, flagGroups, type HiddenMessages } from '../../model/editing/move/move-audience.ts'
import {
  countedMessages,
  type EarlierParts,
  moveToTopic,
  noticesOfMove,
  oldestMoved,
  type PreparedMove,
  partOfMove,
  prepareMove,
} from '../../model/editing/move/move-topic.ts'
import { movePolicies } from '../../model/editing/move/policies-of-emptied-topics.ts'
import { markReadBeforeMove } from '../../model/editing/move/read-for-new-members.ts'
import { type PlannedMove, planEdit, type UpdateMessageParams } from '../../model/editing/plan-edit.ts'
import { actionAudience } from '../../model/messages/read/action-audience.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { movesOf } from '../../model/messages/read/moves-of-messages.ts'
import { type Composition, requireMayMention } from '../../model/messages/text/compose.ts'
import { markdownLookups } from '../../model/messages/text/markdown-lookups.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { recheckPushes } from '../../model/push/enqueue-pushes.ts'
import { followAfterMove } from '../../model/sending/automatic-policies.ts'
import { reclaimAttachments } from '../../model/uploads/claim-attachments.ts'
import { requestPreviews } from '../../model/website-previews/request-previews.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { flagBitsOf, usersWithFlagsBetween } from '../../store/messages/flags/flag-rows.ts'
import { findMessage, findMessages, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { receivedByMany } from '../../store/subscriptions/periods-of-many-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeUsers, listeningUserIds } from '../../store/users/account-set-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { moveFacts, requireMayChangeChannel, requireMayChangeTopic } from './may-move.ts'

/** Edits a message's content, or moves it to another topic or channel. Source: docs/interface/messages.md#edit-or-move-a-message. */
export const updateMessageEndpoint = defineEndpoint({
  operation: 'update-message',
  route: 'PATCH /messages/:message_id',
  access: 'user',
  growsObject: true,
  params: {
    message_id: pathInteger,
    stream_id: v.optional(described(jsonInteger, 'The channel to move to.')),
    topic: v.optional(alias('subject', described(sentTopic, 'The new topic.'))),
    propagate_mode: v.optional(wordOf(['change_one', 'change_later', 'change_all']), 'change_one'),
    send_notification_to_old_thread: v.optional(jsonBoolean, 'false'),
    send_notification_to_new_thread: v.optional(jsonBoolean, 'true'),
    content: v.optional(described(messageContent, 'The new Markdown text.')),
    prev_content_sha256: v.optional(
      described(textUpTo(WORD_LENGTH), 'SHA-256, in lower-case hex, of the source that the client knows.'),
    ),
  },
  returns: v.object({ detached_uploads: v.array(attachment) }),
  command: { commits: updateMessage, asks: true },
  audit: 'speech',
})

/**
 * Number of messages named in one event, so that the event fits into a row (2 MB) and a socket message (1 MiB). A topic is renamed in one
 * commit, however long it is.
 */
const MOVED_IN_ONE_EVENT = 50_000

interface UpdatedMessage {
  /** The sender's uploads that no message links to any more. */
  readonly detached_uploads: readonly ReturnType<typeof attachmentFor>[]
}

/**
 * A partly finished move: some messages are in their new topic; the named message, and the other requested changes, follow in the last
 * commit.
 */
interface PartlyMoved {
  readonly earlier: EarlierParts
}

/**
 * Edits a message's content, moves it and others of its topic to another topic or channel, or both. Everything is checked before anything
 * is changed, in the order of docs/interface/messages.md#edit-or-move-a-message. A change too large for one commit is made in several, each
 * with all checks. Source: docs/interface/messages.md#edit-or-move-a-message; docs/decisions/interface.md#messages.
 */
export function updateMessage(params: UpdateMessageParams): Commits<Caller, UpdatedMessage> {
  return inCommits<Caller, PartlyMoved, UpdatedMessage>(
    (tx, caller, before) => updateNext(tx, caller, params, before?.earlier),
    (made) => 'earlier' in made,
  )
}

/** Makes one commit, with all checks. */
function updateNext(
  tx: RealmTransaction,
  caller: Caller,
  params: UpdateMessageParams,
  earlier: EarlierParts | undefined,
): UpdatedMessage | PartlyMoved {
  const message = requireModifiableMessage(tx, caller, params.message_id)
  const body = concernsContent(params) ? tx.bodyOf(message) : undefined
  const plan = planEdit(tx, caller, message, params, body)
  const move = plan.move && prepareMove(tx, caller, message, plan.move, earlier)
  const facts = move && moveFacts(tx, message, move.plan, () => countedMessages(tx, caller, message, move))
  if (move && facts) requireMayChangeTopic(tx, caller, move.plan, facts)
  const edit = plan.content === undefined ? undefined : composeEdit(tx, caller, message, plan.content)
  if (edit) requireMayMention(tx, edit)
  if (move && facts) requireMayChangeChannel(tx, caller, move.plan, facts)
  const part = move && partOfMove(tx, move)
  const markedRead = move && markReadBeforeMove(tx, part ?? move)
  if (markedRead) {
    const { goneBefore: gone, targetHasMessages: targetHadMessages, oldestBefore: oldest } = move
    return { earlier: { gone, targetHadMessages, oldest, markedRead } }
  }
  if (part) {
    const first = findMessage(tx.sql, part.messageId)!
    change(tx, caller, { message: first, channel: plan.channel, edit: undefined, move: part })
    const gone = part.goneBefore + part.ids.length
    return { earlier: { gone, targetHadMessages: part.targetHasMessages, oldest: oldestMoved(part) } }
  }
  change(tx, caller, { message, channel: plan.channel, edit: edit && { ...edit, before: body! }, move })
  if (move && !move.staysInTopic) followAfterMove(tx, { ...move, ...move.plan, firstId: oldestMoved(move) })
  const detached = edit ? detach(tx, message, edit) : []
  if (edit) requestPreviews(tx, message.id, edit)
  if (move) noticesOfMove(tx, caller, move, { ...params, editsContent: edit !== undefined })
  return { detached_uploads: detached.map((attachment) => attachmentFor(caller.source, attachment)) }
}

function concernsContent({ content, prev_content_sha256 }: UpdateMessageParams): boolean {
  return content !== undefined || prev_content_sha256 !== undefined
}

/** Detaches attachments that the new content does not link to. Only the sender edits a message's content. */
function detach(tx: RealmTransaction, { id, senderId }: IndexedMessage, { rendered }: Composition) {
  return reclaimAttachments(tx, { id, editorId: senderId }, rendered.uploadPaths)
}

type ContentEdit = Composition & { readonly before: MessageBody }

/** The changes to make. */
interface Change {
  readonly message: IndexedMessage
  /** The channel before the change; undefined for a direct message. */
  readonly channel: Channel | undefined
  readonly edit: ContentEdit | undefined
  readonly move: PreparedMove | undefined
}

/** Makes both parts of the change and notifies those who can see it: in one event, or in several if it would name too many messages. */
function change(tx: RealmTransaction, caller: Caller, { message, channel, edit, move }: Change): void {
  // This comes first because it reads who has a device, which would need another turn after many writes.
  recheckPushes(tx, move?.ids ?? [message.id])
  const crossing = move && move.plan.from.id !== move.plan.to.id ? move : undefined
  const moveAudience =
    crossing && audienceOfMove(tx, message, crossing.ids, crossing.plan.from, crossing.plan.to)
  for (const lost of moveAudience?.losing ?? []) emitHidden(tx, move!.plan, lost)
  if (move) movePolicies(tx, move)
  // The event's own id is part of the written data, and nothing is emitted in between.
  const seq = tx.lastEventId() + 1
  if (edit) editContent(tx, message, edit.before, edit, seq)
  if (move) moveToTopic(tx, caller, move, seq)
  const changed = findMessage(tx.sql, message.id)!
  const audience: Audience = moveAudience ? { users: moveAudience.notified } : actionAudience(tx, changed)
  const [first, ...others] = namedIn(message.id, move?.ids ?? [message.id])
  const event: StoredUpdateMessageEvent = {
    type: 'update_message',
    user_id: caller.user.id,
    edit_timestamp: Math.floor(tx.now),
    message_id: message.id,
    message_ids: first,
    rendering_only: false,
    flags: flagGroups(tx, changed),
    ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
    ...(moveAudience ? { unnamed_for: moveAudience.strangersToOld, new_to: moveAudience.newMembers } : {}),
    ...(move ? moveFields(tx, caller, move) : {}),
    ...(edit ? contentFields(tx, edit) : {}),
  }
  assert(tx.emit(event, audience) === seq, 'the event has the id that was written')
  for (const ids of others) tx.emit(ofOthers(tx, event, ids), audience)
  if (move && !crossing) emitMovedAlong(tx, caller, move, event)
  if (move) movePins(tx, move)
}

/** Returns the messages that each event names; the first event includes this id. `ids`: ascending. */
function namedIn(
  id: number,
  ids: readonly number[],
): readonly [first: readonly number[], ...others: (readonly number[])[]] {
  if (ids.length <= MOVED_IN_ONE_EVENT) return [ids]
  const parts = Array.from({ length: Math.ceil(ids.length / MOVED_IN_ONE_EVENT) }, (_, at) =>
    ids.slice(at * MOVED_IN_ONE_EVENT, (at + 1) * MOVED_IN_ONE_EVENT),
  )
  const first = parts.find((part) => part.includes(id))!
  return [first, ...parts.filter((part) => part !== first)]
}

/** Returns the event for other messages that moved with the named one, without content. */
function ofOthers(
  tx: RealmReads,
  {
    content,
    rendered_content,
    is_me_message,
    orig_content,
    orig_rendered_content,
    ...event
  }: StoredUpdateMessageEvent,
  ids: readonly number[],
): StoredUpdateMessageEvent {
  const flags = flagGroups(tx, findMessage(tx.sql, ids[0]!)!)
  return { ...event, message_id: ids[0]!, message_ids: ids, flags }
}

/**
 * Notifies users who have other moved messages, but not the named one, that theirs have moved. They learn nothing about the named message.
 */
function emitMovedAlong(
  tx: RealmTransaction,
  caller: Caller,
  move: PreparedMove,
  { message_id, stream_id, stream_name, ...rest }: StoredUpdateMessageEvent,
): void {
  const groups = movedAlong(tx, move.plan.from, message_id, move.ids).flatMap(({ userIds, messageIds }) =>
    namedIn(messageIds[0]!, messageIds).map((part) => ({ userIds, messageIds: part })),
  )
  for (const { userIds, messageIds } of groups) {
    const event: StoredUpdateMessageEvent = {
      type: 'update_message',
      user_id: rest.user_id,
      edit_timestamp: rest.edit_timestamp,
      message_id: messageIds[0]!,
      message_ids: messageIds,
      rendering_only: false,
      flags: flagGroups(tx, findMessage(tx.sql, messageIds[0]!)!),
      stream_id,
      stream_name,
      ...moveFields(tx, caller, move),
      orig_subject: spellingBefore(tx, messageIds[0]!),
    }
    tx.emit(event, toUsers(...userIds))
  }
}

/** Returns the spelling of a message's topic before its last move. */
function spellingBefore(tx: RealmReads, id: number): string {
  const message = findMessage(tx.sql, id)!
  return movesOf(tx, [message])(message)[0]?.prevTopic ?? topicOfMessage(tx.sql, message)!.name
}

function emitHidden(
  tx: RealmTransaction,
  { from, oldTopic }: PlannedMove,
  { userIds, messageIds }: HiddenMessages,
): void {
  const event: StoredDeleteMessageEvent = {
    type: 'delete_message',
    message_type: 'stream',
    message_ids: messageIds,
    stream_id: from.id,
    topic: oldTopic.name,
  }
  tx.emit(event, toUsers(...userIds), messageIds.length)
}

/**
 * Returns the fields of an edit of content. The event includes the former content only if the organization shows it, since a client may
 * fetch its events late.
 */
function contentFields({ sql }: RealmReads, { before, content, rendered }: ContentEdit) {
  const showsOriginal = realmProperty(sql, 'message_edit_history_visibility_policy') === 'all'
  return {
    ...(showsOriginal ? { orig_content: before.content, orig_rendered_content: before.renderedContent } : {}),
    content,
    rendered_content: rendered.html,
    is_me_message: rendered.isMeMessage,
  }
}

function moveFields(tx: RealmReads, caller: Caller, { plan }: PreparedMove) {
  const { to, oldTopic, newTopic, changesTopic, changesChannel, reach } = plan
  return {
    orig_subject: oldTopic.name,
    propagate_mode: reach,
    ...(changesTopic
      ? {
          subject: newTopic,
          topic_links: topicLinks(newTopic, markdownLookups(tx, caller, caller.source.origin)),
        }
      : {}),
    ...(changesChannel ? { new_stream_id: to.id } : {}),
  }
}

/** Users who have the same subset of the moved messages. */
interface MovedAlong {
  readonly userIds: readonly number[]
  /** Ascending ids. */
  readonly messageIds: readonly number[]
}

/**
 * Returns the connected users who have moved messages but not the named one, with those messages: they joined a protected history later, or
 * have left the channel since. Users who have the named one are notified of all through it (read/action-audience.ts).
 */
function movedAlong(
  view: RealmView,
  channel: Channel,
  namedId: number,
  ids: readonly number[],
): MovedAlong[] {
  if (ids.length < 2) return []
  const listening = listeningUserIds(view.sql)
  const subscribed = subscribersOf(view.sql, channel.id)
  // The others are notified as subscribers.
  const others = listening.filter((id) => !channel.historyPublicToSubscribers || !subscribed.has(id))
  if (others.length === 0) return []
  const keepers = usersWithFlagsBetween(view.sql, others, ids[0]!, ids.at(-1)!)
  const receivedBy = receivedByMany(view.sql, channel.id, others)(findMessages(view.sql, ids))
  const active = activeUsers(view.sql).and(IdSet.of(others)).toArray()
  const having = [...findUsers(view.sql, active).values()].flatMap((user) => {
    const received = new Set(receivedBy(user.id))
    const sparse = keepers.has(user.id) ? flagBitsOf(view.sql, user.id, ids) : undefined
    const has = (id: number) => received.has(id) || sparse?.has(id) === true
    const messageIds = has(namedId) ? [] : ids.filter(has)
    if (messageIds.length === 0) return []
    const actor = actorOf(view.sql, user, view.now)
    const mayRead = mayAccessChannelContent(actor, channel, subscribed.has(user.id))
    return mayRead ? [{ userId: user.id, messageIds }] : []
  })
  return [...Map.groupBy(having, ({ messageIds }) => messageIds.join()).values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    messageIds: group[0]!.messageIds,
  }))
}
