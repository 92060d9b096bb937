import type { ChatState } from './chat-state.ts'
import { type Conversation, conversationOf, peersOf, toggledTopic } from './conversation.ts'
import { moveOf } from './moves.ts'
import type { IsOperand } from './narrow.ts'
import { moveOutgoing, settleOutgoing } from './outbox.ts'
import { doubtRecent, noteRecent } from './recent.ts'
import { star } from './stars.ts'
import { doubtTopic, noteTopic } from './topics.ts'
import { stopTyping } from './typing.ts'
import { addUnread, clearUnread, correctMentions, mentionFacts, moveUnread, removeUnread } from './unread.ts'
import { insertIntoWindows, isWantedAs, isWantedBy, removeFromWindows } from './windows.ts'
import type { Message, Reaction, Submessage, WireEvent } from './wire.ts'

export function applyMessage(state: ChatState, event: WireEvent): void {
  const message = { ...(event.message as Message), flags: [...(event.flags as string[])] }
  const conversation = conversationOf(message, state.me)
  noteTouched(state, message.id)
  state.messages.set(message.id, message)
  if (!message.flags.includes('read')) addUnread(state, message.id, conversation, mentionFacts(message))
  if (message.flags.includes('starred')) star(state, message.id, true)
  if (conversation.kind === 'topic') {
    noteTopic(state, conversation.channelId, message.subject, message.id)
    const channel = state.channels.get(conversation.channelId)
    if (channel) channel.first_message_id ??= message.id
  }
  noteRecent(state, message)
  stopTyping(state, conversation, message.sender_id)
  settleOutgoing(state, message, event.local_message_id as string | undefined)
  insertIntoWindows(state, message, { isNew: true })
}

export function applyUpdateMessage(state: ChatState, event: WireEvent): void {
  const ids = event.message_ids as readonly number[]
  if (event.orig_subject !== undefined) moveMessages(state, event, ids)
  editContent(state, event)
}

interface Destination {
  readonly channelId: number
  readonly isOtherChannel: boolean
  /** Undefined: each message keeps its topic. */
  readonly topic: string | undefined
}

function moveMessages(state: ChatState, event: WireEvent, ids: readonly number[]): void {
  const from = event.stream_id as number
  const oldTopic = event.orig_subject as string
  const channelId = (event.new_stream_id as number | undefined) ?? from
  const to = { channelId, isOtherChannel: channelId !== from, topic: event.subject as string | undefined }
  const isOut = isLetGoBy(state, event)
  const move = moveOf(state, event)
  state.moves.push(move)
  moveOutgoing(state, move)
  const moved: Message[] = []
  for (const id of ids) {
    noteTouched(state, id)
    const message = state.messages.get(id)
    const topic = to.topic ?? message?.subject ?? oldTopic
    if (message) {
      moveMessage(message, event, to)
      moved.push(message)
      state.changes.touch('message', id)
    } else if (isWantedBy(state, id, channelId, topic)) state.wanted.add(id)
    if (isOut) letGo(state, id, message)
    else
      moveUnread(state, id, { kind: 'topic', channelId, topic: to.topic ?? unreadTopic(state, id) ?? topic })
  }
  const gone = new Set(ids)
  doubtTopic(state, from, oldTopic, gone)
  doubtRecent(state, { kind: 'topic', channelId: from, topic: oldTopic }, gone)
  for (const message of moved) {
    noteTopic(state, channelId, message.subject, message.id)
    noteRecent(state, message)
    insertIntoWindows(state, message)
  }
  // Unknown parts of the new topic are fetched when the user opens it.
  if (moved.length < ids.length) {
    const newest = ids.at(-1)
    if (newest !== undefined) noteTopic(state, channelId, to.topic ?? oldTopic, newest)
  }
}

function moveMessage(message: Message, event: WireEvent, to: Destination): void {
  message.stream_id = to.channelId
  // Resolving a topic does not count as a move.
  const isToggled = !to.isOtherChannel && to.topic === toggledTopic(event.orig_subject as string)
  if (!isToggled) message.last_moved_timestamp = event.edit_timestamp as number
  if (to.topic === undefined) return
  message.subject = to.topic
  message.topic_links = (event.topic_links as Message['topic_links'] | undefined) ?? []
}

function unreadTopic(state: ChatState, id: number): string | undefined {
  const where = state.unread.byId.get(id)?.conversation.conversation
  return where?.kind === 'topic' ? where.topic : undefined
}

/**
 * Whether an edit moves its messages into a channel where the user is not subscribed: then its flags do not
 * count for the user.
 */
function isLetGoBy(state: ChatState, event: WireEvent): boolean {
  const to = event.new_stream_id as number | undefined
  return to !== undefined && to !== event.stream_id && state.channels.get(to)?.subscription === undefined
}

/**
 * Updates a message in a channel that the user has left: it is neither unread nor starred, but still readable there.
 */
function letGo(state: ChatState, id: number, message: Message | undefined): void {
  removeUnread(state, id)
  star(state, id, false)
  if (message) message.flags = ['read', 'historical']
}

function editContent(state: ChatState, event: WireEvent): void {
  const id = event.message_id as number
  noteTouched(state, id)
  const message = state.messages.get(id)
  if (!message) {
    const isMention = (event.flags as string[]).some((flag) => flag.endsWith('mentioned'))
    if (isMention && isWantedAs(state, id, 'mentioned')) state.wanted.add(id)
    return
  }
  if (event.rendered_content !== undefined) {
    message.content = event.rendered_content as string
    // The hits of a search were marked in the old text.
    delete message.match_content
    if (event.rendering_only !== true) {
      message.last_edit_timestamp = event.edit_timestamp as number
      message.is_me_message = event.is_me_message === true
    }
  }
  if (event.rendering_only !== true && !isLetGoBy(state, event)) {
    message.flags = [...(event.flags as string[])]
    correctMentions(state, id, mentionFacts(message))
  }
  state.changes.touch('message', id)
  insertIntoWindows(state, message)
}

export function applyDeleteMessage(state: ChatState, event: WireEvent): void {
  const ids = (event.message_ids as readonly number[] | undefined) ?? [event.message_id as number]
  const gone = new Set(ids)
  const conversations = new Map<string, Conversation>()
  for (const id of ids) {
    const message = state.messages.get(id)
    if (message?.type === 'private') {
      const conversation = conversationOf(message, state.me)
      conversations.set(JSON.stringify(conversation), conversation)
    }
    removeMessage(state, id)
  }
  if (event.message_type === 'stream') {
    const [channelId, topic] = [event.stream_id as number, event.topic as string]
    doubtTopic(state, channelId, topic, gone)
    doubtRecent(state, { kind: 'topic', channelId, topic }, gone)
    return
  }
  for (const conversation of conversations.values()) doubtRecent(state, conversation, gone)
  // The former conversation of an unfetched message is unknown.
  for (const { conversation, newestId } of [...state.recent.values()]) {
    if (gone.has(newestId)) doubtRecent(state, conversation, gone)
  }
}

/** Removes a message that is deleted, or no longer visible. */
export function removeMessage(state: ChatState, id: number): void {
  noteTouched(state, id)
  for (const fetch of state.fetches) fetch.removed.add(id)
  state.wanted.delete(id)
  removeUnread(state, id)
  star(state, id, false)
  removeFromWindows(state, id)
  if (!state.messages.delete(id)) return
  state.changes.touch('message', id)
}

export function applyReaction(state: ChatState, event: WireEvent): void {
  const id = event.message_id as number
  noteTouched(state, id)
  const message = state.messages.get(id)
  if (!message) return
  const { emoji_name, emoji_code, reaction_type, user_id } = event as WireEvent & Reaction
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  message.reactions =
    event.op === 'add' ? [...others, { emoji_name, emoji_code, reaction_type, user_id }] : others
  insertIntoWindows(state, message)
  state.changes.touch('message', id)
}

/** Applies a vote, or a task of a list. */
export function applySubmessage(state: ChatState, event: WireEvent): void {
  const id = event.message_id as number
  noteTouched(state, id)
  const message = state.messages.get(id)
  if (!message) return
  const { submessage_id, sender_id, msg_type, content } = event
  const added = { id: submessage_id, message_id: id, sender_id, msg_type, content } as Submessage
  message.submessages = [...message.submessages.filter((one) => one.id !== added.id), added]
  state.changes.touch('message', id)
}

interface UnreadDetails {
  readonly type: 'private' | 'stream'
  readonly mentioned?: boolean
  readonly user_ids?: readonly number[]
  readonly stream_id?: number
  readonly topic?: string
}

export function applyFlags(state: ChatState, event: WireEvent): void {
  const flag = event.flag as string
  const adds = event.op === 'add'
  const ids = event.all === true ? [...state.messages.keys()] : (event.messages as readonly number[])
  if (flag === 'read' && event.all === true) clearUnread(state)
  for (const id of ids) {
    noteTouched(state, id)
    setFlag(state, id, flag, adds)
    const as = AS_OPERAND[`${adds ? 'with' : 'without'} ${flag}`]
    if (as && !state.messages.has(id) && isWantedAs(state, id, as)) state.wanted.add(id)
    if (flag === 'starred') star(state, id, adds)
    if (flag !== 'read') continue
    if (adds) removeUnread(state, id)
    else unreadAgain(state, id, (event.message_details as Record<string, UnreadDetails>)[String(id)])
  }
}

/** Narrows to which a message belongs by a flag. */
const AS_OPERAND: Readonly<Record<string, IsOperand>> = {
  'with starred': 'starred',
  'without read': 'unread',
}

/** Sets a flag on the message itself, if it is known; counts follow separately. */
export function setFlag(state: ChatState, id: number, flag: string, adds: boolean): void {
  const message = state.messages.get(id)
  if (!message || message.flags.includes(flag) === adds) return
  // A message that was not sent to its reader stays `historical`, starred or unread.
  const others = message.flags.filter((one) => one !== flag)
  message.flags = adds ? [...others, flag] : others
  state.changes.touch('message', id)
  if (flag === 'starred' || flag === 'read') insertIntoWindows(state, message)
}

function unreadAgain(state: ChatState, id: number, details: UnreadDetails | undefined): void {
  const message = state.messages.get(id)
  const facts = message
    ? mentionFacts(message)
    : { mentioned: details?.mentioned === true, wildcard: false, isCertain: false }
  const where = details
    ? conversationOfDetails(details, state.me)
    : message && conversationOf(message, state.me)
  if (where) addUnread(state, id, where, facts)
}

function conversationOfDetails(
  { type, user_ids, stream_id, topic }: UnreadDetails,
  me: number,
): Conversation {
  return type === 'private'
    ? { kind: 'direct', peers: peersOf(user_ids!, me) }
    : { kind: 'topic', channelId: stream_id!, topic: topic! }
}

function noteTouched(state: ChatState, id: number): void {
  for (const fetch of state.fetches) fetch.touched.add(id)
}
