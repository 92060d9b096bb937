import type { Json } from '../support/json.ts'
import type { ClientState, UnreadMessage } from './client-state.ts'
import { mentionsOf, othersOf } from './client-state.ts'

/** Messages, their flags and what hangs on them. Source: docs/interface/events.md#events-about-messages. */
export function applyMessageEvent(state: ClientState, event: Json): boolean {
  switch (event.type) {
    case 'message':
      addMessage(state, { ...event.message, flags: event.flags })
      return true
    case 'update_message':
      updateMessages(state, event)
      return true
    case 'delete_message':
      for (const id of event.message_ids ?? [event.message_id]) removeMessage(state, id)
      recountConversations(state)
      return true
    case 'reaction':
      changeReaction(state, event)
      return true
    case 'submessage':
      changeSubmessages(state, event)
      return true
    case 'update_message_flags':
      changeFlags(state, event)
      return true
    case 'typing':
      return changeTyping(state, event, event.sender.user_id, event.stream_id ?? 'direct')
    case 'typing_edit_message':
      return changeTyping(state, event, event.sender_id, `message ${event.message_id}`)
    default:
      return false
  }
}

function addMessage(state: ClientState, message: Json): void {
  const { register, me } = state
  state.messages.set(message.id, message)
  register.max_message_id = Math.max(register.max_message_id, message.id)
  const isRead = message.flags.includes('read')
  for (const list of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed']) {
    for (const channel of register[list]) {
      if (channel.stream_id === message.stream_id) channel.first_message_id ??= message.id
    }
  }
  if (message.type === 'private') {
    const others = othersOf(message, me)
    const rest = register.recent_private_conversations.filter(
      ({ user_ids }: Json) => user_ids.join() !== others.join(),
    )
    register.recent_private_conversations = [{ user_ids: others, max_message_id: message.id }, ...rest]
    if (!isRead) state.unread.set(message.id, { others, ...mentionsOf(message, false) })
  } else if (!isRead) {
    const conversation = { streamId: message.stream_id, topic: message.subject }
    state.unread.set(message.id, { ...conversation, ...mentionsOf(message, false) })
  }
}

function updateMessages(state: ClientState, event: Json): void {
  const isMove = event.orig_subject !== undefined
  const channel = event.new_stream_id ?? event.stream_id
  for (const id of event.message_ids) {
    const message = state.messages.get(id)
    if (!message) state.unknownMessages.add(id)
    const unread = state.unread.get(id)
    if (isMove) {
      const to = event.subject === undefined ? {} : { subject: event.subject, topic_links: event.topic_links }
      if (message) Object.assign(message, { stream_id: channel, ...to })
      if (channel !== event.stream_id && !isSubscribed(state, channel)) letGo(state, id)
      if (unread) {
        Object.assign(unread, {
          streamId: channel,
          ...(event.subject === undefined ? {} : { topic: event.subject }),
        })
        if (!isSubscribed(state, channel)) state.unread.delete(id)
      }
    }
  }
  const message = state.messages.get(event.message_id)
  if (!message) return
  if (event.content !== undefined) {
    message.content = state.form.options.apply_markdown ? event.rendered_content : event.content
  }
  if (!event.rendering_only) {
    message.flags = event.flags
    const unread = state.unread.get(event.message_id)
    if (unread) Object.assign(unread, mentionsOf(message, false))
  }
}

function isSubscribed(state: ClientState, channel: number): boolean {
  return state.register.subscriptions.some(({ stream_id }: Json) => stream_id === channel)
}

function removeMessage(state: ClientState, id: number): void {
  state.messages.delete(id)
  state.unread.delete(id)
  state.unknownMessages.delete(id)
  dropStar(state, id)
}

/** Forgets a message that has moved to a channel without a subscription: it can still be read there, but is no longer kept up to date. */
function letGo(state: ClientState, id: number): void {
  state.messages.delete(id)
  state.unknownMessages.add(id)
  dropStar(state, id)
}

function dropStar({ register }: ClientState, id: number): void {
  register.starred_messages = register.starred_messages.filter((one: number) => one !== id)
}

/** After a deletion the newest message of a conversation is another one, or none. */
function recountConversations(state: ClientState): void {
  const newest = new Map<string, { user_ids: number[]; max_message_id: number }>()
  for (const message of state.messages.values()) {
    if (message.type !== 'private') continue
    const user_ids = othersOf(message, state.me)
    const known = newest.get(user_ids.join())
    if (known && known.max_message_id > message.id) continue
    newest.set(user_ids.join(), { user_ids, max_message_id: message.id })
  }
  state.register.recent_private_conversations = [...newest.values()].sort(
    (a, b) => b.max_message_id - a.max_message_id,
  )
}

function changeReaction(state: ClientState, event: Json): void {
  const message = state.messages.get(event.message_id)
  if (!message) return
  const { emoji_name, emoji_code, reaction_type, user_id } = event
  if (event.op === 'add') message.reactions.push({ emoji_name, emoji_code, reaction_type, user_id })
  else {
    message.reactions = message.reactions.filter(
      (one: Json) =>
        one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
    )
  }
}

function changeSubmessages(state: ClientState, event: Json): void {
  const { submessage_id, message_id, sender_id, msg_type, content } = event
  state.messages
    .get(message_id)
    ?.submessages.push({ id: submessage_id, message_id, sender_id, msg_type, content })
}

function changeFlags(state: ClientState, event: Json): void {
  const ids: number[] = event.all ? [...state.messages.keys()] : event.messages
  for (const id of ids) {
    const message = state.messages.get(id)
    if (!message) continue
    const others = message.flags.filter((flag: string) => flag !== event.flag)
    message.flags = event.op === 'add' ? [...others, event.flag] : others
  }
  if (event.flag === 'starred') changeStars(state, event)
  if (event.flag !== 'read') return
  if (event.all) state.unread.clear()
  for (const id of event.messages) {
    if (event.op === 'add') state.unread.delete(id)
    else state.unread.set(id, unreadAgain(state, id, event.message_details[id]))
  }
}

function unreadAgain(state: ClientState, id: number, details: Json): UnreadMessage {
  const mentions = mentionsOf(state.messages.get(id), details.mentioned === true)
  return details.type === 'private'
    ? { others: [...details.user_ids].sort((a, b) => a - b), ...mentions }
    : { streamId: details.stream_id, topic: details.topic, ...mentions }
}

function changeStars({ register }: ClientState, event: Json): void {
  const starred = new Set<number>(register.starred_messages)
  for (const id of event.messages) {
    if (event.op === 'add') starred.add(id)
    else starred.delete(id)
  }
  register.starred_messages = [...starred].sort((a, b) => a - b)
}

function changeTyping(
  { typing }: ClientState,
  event: Json,
  senderId: number,
  where: string | number,
): boolean {
  const key = `${senderId} in ${where}`
  if (event.op === 'start') typing.add(key)
  else typing.delete(key)
  return true
}
