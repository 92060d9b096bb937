import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import type { StoredMessageEvent } from '../../../events/message.ts'
import { TopicLinksOfPage } from '../../../markdown/render.ts'
import { findChannels } from '../../../store/channels/channel-rows.ts'
import { conversationById } from '../../../store/messages/conversation-rows.ts'
import { MESSAGE_BIT } from '../../../store/messages/flags/message-bits.ts'
import { clientNames, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { MessageMove } from '../../../store/messages/move/message-move-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'
import { listSubmessages } from '../../../store/submessages/submessage-rows.ts'
import { findUsers, type User } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { apiEmail } from '../../users/addresses/api-email.ts'
import { avatarUrl, isAvatarComputable } from '../../users/profile/avatar.ts'
import { placeholderOf, visibleUsers } from '../../users/visibility/visible-users.ts'
import { flagsOf } from '../flags/message-flags.ts'
import { markdownLookups } from '../text/markdown-lookups.ts'
import { presentTopic, topicAmong } from '../topic-of-message.ts'
import {
  movesOf,
  type ReadableHistory,
  type ReadBefore,
  readableHistory,
  readBeforeBy,
} from './moves-of-messages.ts'
import {
  directRecipientId,
  type PresentedReaction,
  type PresentedSubmessage,
  presentParticipants,
  presentReactions,
  presentSubmessage,
} from './parts-of-message.ts'

/** The form in which a client wants messages. */
export interface MessageOptions {
  /** Whether the client itself computes the addresses of third-party pictures. */
  readonly clientGravatar: boolean
  /** Whether the client knows the empty topic; others get a name in its place. */
  readonly allowEmptyTopic: boolean
  /** Which earlier states of messages are shown; by default those that the caller could read. */
  readonly couldRead?: ReadBefore
}

/** Fields of a message that the realm object knows. `completeMessage` adds those of its body. */
export type MessageFacts = OwnFields & DetailFields & SenderFields & RecipientFields

interface OwnFields {
  readonly id: number
  readonly timestamp: number
  readonly last_edit_timestamp?: number
  readonly last_moved_timestamp?: number
}

/** Fields that are the same for most messages of a page. */
interface DetailFields {
  readonly client: string
  readonly is_me_message: boolean
  readonly reactions: readonly PresentedReaction[]
  readonly submessages: readonly PresentedSubmessage[]
  readonly flags: readonly string[]
}

interface SenderFields
  extends Pick<EventMessage, 'sender_id' | 'sender_full_name' | 'sender_email' | 'sender_realm_str'> {
  readonly avatar_url: string | null
}

/** Fields of the conversation, or of the topic in one spelling. */
type RecipientFields = Pick<
  EventMessage,
  'type' | 'stream_id' | 'display_recipient' | 'recipient_id' | 'subject' | 'topic_links'
>

type EventMessage = StoredMessageEvent['message']

/** Facts for adding a message's body, which has the edits of the content (read/edit-history.ts), in the Worker. */
export interface MessageHead extends ReadableHistory {
  /** Says which body belongs to the message. */
  readonly version: number
  readonly isShort: boolean
}

/** A message on its way to the Worker. */
export interface PresentedMessage extends MessageHead {
  readonly facts: MessageFacts
}

/** A message in parts. Messages with the same sender, recipient or details share these objects. */
export interface MessageInParts extends MessageHead {
  readonly own: OwnFields
  readonly shared: readonly [DetailFields, SenderFields, RecipientFields]
}

/** Presents messages to the caller, whose access must have been checked. Source: docs/interface/messages.md#the-message-object. */
export function presentMessages(
  view: RealmReads,
  caller: Caller,
  messages: readonly IndexedMessage[],
  options: MessageOptions,
): PresentedMessage[] {
  return presentInParts(view, caller, messages, { ...options, needsAll: true }).map(joinParts)
}

export function joinParts({
  own,
  shared: [details, sender, recipient],
  ...head
}: MessageInParts): PresentedMessage {
  return { ...head, facts: { ...own, ...details, ...sender, ...recipient } }
}

/**
 * Does the same for a page, which is serialised without joining the parts. Unless all messages are needed, it leaves out
 * those at the end for which finding the links of topics would take too long in this turn.
 */
export function presentInParts(
  view: RealmReads,
  caller: Caller,
  wanted: readonly IndexedMessage[],
  options: MessageOptions & { readonly needsAll?: boolean },
): MessageInParts[] {
  const { sql, realm } = view
  const topics = topicsById(sql, [...new Set(wanted.map(({ topicId }) => topicId))])
  const topicOf = topicAmong(topics)
  const names = wanted.map((message) => topicOf(message)?.name)
  const links = new TopicLinksOfPage(
    [...new Set(names)].filter((name) => name !== undefined),
    markdownLookups(view, caller, caller.source.origin),
  )
  const messages = options.needsAll ? wanted : wanted.slice(0, fittingLinks(names, links))
  const flags = flagsOf(view, caller, messages, caller.source)
  const senders = sendersOf(sql, messages)
  const known = new Set(visibleUsers(view, caller, senders))
  const senderFields = new Map(
    senders.map((sender) => [sender.id, presentSender(sender, known, realm, options)]),
  )
  const clients = clientNames(sql)
  const reactions = presentReactions(view, caller, messages)
  const widgets = messages.flatMap(({ id, bits }) => ((bits & MESSAGE_BIT.isWidget) !== 0 ? id : []))
  const submessages = listSubmessages(sql, widgets)
  const channels = new Set([...topics.values()].map(({ channelId }) => channelId))
  const recipientFieldsOf = recipientFieldsReader(view, caller, options, {
    topicOf,
    links,
    names: new Map(findChannels(sql, [...channels]).map(({ id, name }) => [id, name])),
  })
  const movesBefore = movesOf(view, messages, topics)
  const couldRead = options.couldRead ?? readBeforeBy(view, caller)
  const sharedDetails = sharedDetailsReader()
  return messages.map((message) => {
    const moves = movesBefore(message)
    const movedAt = lastMoved(message, moves)
    return {
      version: message.version,
      isShort: (message.bits & MESSAGE_BIT.isShort) !== 0,
      ...readableHistory(message.id, moves, couldRead),
      own: {
        id: message.id,
        timestamp: message.sentAt,
        ...(message.editedAt === null ? {} : { last_edit_timestamp: message.editedAt }),
        ...(movedAt === null ? {} : { last_moved_timestamp: movedAt }),
      },
      shared: [
        sharedDetails({
          client: clients.get(message.clientId) ?? '',
          is_me_message: (message.bits & MESSAGE_BIT.isMe) !== 0,
          reactions: reactions.get(message.id) ?? NO_REACTIONS,
          submessages: submessages.get(message.id)?.map(presentSubmessage) ?? NO_SUBMESSAGES,
          flags: flags.get(message.id)!,
        }),
        senderFields.get(message.senderId)!,
        recipientFieldsOf(message),
      ],
    }
  })
}

/** Returns the number of first messages for whose topics there is time to find links: at least one. */
function fittingLinks(names: readonly (string | undefined)[], links: TopicLinksOfPage): number {
  let before: string | undefined
  for (const [index, name] of names.entries()) {
    // Neighbours are usually in the same topic.
    if (name === before) continue
    if (links.isSpent) return index
    if (name !== undefined) links.of(name)
    before = name
  }
  return names.length
}

const NO_REACTIONS: readonly PresentedReaction[] = []
const NO_SUBMESSAGES: readonly PresentedSubmessage[] = []

/** Returns a function that returns the previous message's details where they are the same, lists compared as objects. */
function sharedDetailsReader(): (details: DetailFields) => DetailFields {
  let last: DetailFields | undefined
  return (details) => {
    const isSame =
      last?.client === details.client &&
      last.is_me_message === details.is_me_message &&
      last.reactions === details.reactions &&
      last.submessages === details.submessages &&
      last.flags === details.flags
    if (!isSame) last = details
    return last!
  }
}

function sendersOf(sql: Sql, messages: readonly IndexedMessage[]): User[] {
  return [...findUsers(sql, [...new Set(messages.map(({ senderId }) => senderId))]).values()]
}

/** Returns when a message was last moved: from the index, unless its whole topic has moved since. */
function lastMoved(message: IndexedMessage, moves: readonly MessageMove[]): number | null {
  return moves.find(({ movedAt }) => movedAt != null)?.movedAt ?? message.movedAt
}

/** Returns the fields of a sender. One whom the reader does not see is only an id, which a message must have. */
function presentSender(
  sender: User,
  known: ReadonlySet<User>,
  realm: RealmView['realm'],
  { clientGravatar }: MessageOptions,
): SenderFields {
  const { full_name, email, avatar_url } = known.has(sender)
    ? {
        full_name: sender.fullName,
        email: apiEmail(sender, realm),
        avatar_url: clientGravatar && isAvatarComputable(sender) ? null : avatarUrl(sender, realm),
      }
    : placeholderOf(sender.id, realm)
  return {
    sender_id: sender.id,
    sender_full_name: full_name,
    sender_email: email,
    sender_realm_str: realm.stringId,
    avatar_url,
  }
}

/** Facts that are read once for all messages of a page. */
interface ReadForPage {
  readonly topicOf: (message: IndexedMessage) => Topic | undefined
  readonly links: TopicLinksOfPage
  readonly names: ReadonlyMap<number, string>
}

/** Returns a function that returns the recipient's fields, made once for each conversation and each spelling of a topic. */
function recipientFieldsReader(
  view: RealmView,
  caller: Caller,
  options: MessageOptions,
  { topicOf, links, names }: ReadForPage,
): (message: IndexedMessage) => RecipientFields {
  const known = new Map<string, RecipientFields>()
  const make = (message: IndexedMessage, topic: Topic | undefined): RecipientFields => {
    const recipient = recipientOf(message.recipientId)
    if (recipient.kind !== 'channel') return presentConversation(view, message.recipientId, caller.user.id)
    const { name } = topic!
    return {
      type: 'stream',
      stream_id: recipient.id,
      display_recipient: names.get(recipient.id)!,
      recipient_id: message.recipientId,
      subject: presentTopic(name, options.allowEmptyTopic),
      topic_links: links.of(name),
    }
  }
  return (message) => {
    const topic = topicOf(message)
    const key = `${message.recipientId}:${topic?.id}:${topic?.name}`
    const fields = known.get(key) ?? make(message, topic)
    known.set(key, fields)
    return fields
  }
}

function presentConversation(view: RealmView, recipientId: number, readerId: number): RecipientFields {
  const { members } = conversationById(view.sql, recipientOf(recipientId).id)!
  return {
    type: 'private',
    display_recipient: presentParticipants([...findUsers(view.sql, members).values()], view.realm),
    recipient_id: directRecipientId(members, readerId, recipientId),
    subject: '',
    topic_links: [],
  }
}
