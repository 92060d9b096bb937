import { flush, state } from '../chat.ts'
import type { ChatState } from '../state/chat-state.ts'
import type { Conversation } from '../state/conversation.ts'
import { conversationKey, toggledTopic } from '../state/conversation.ts'
import { setFlag, star as setStar } from '../state/messages.ts'
import { conversationOfNarrow, isSearch, type Narrow, narrowKey, narrowParameter } from '../state/narrow.ts'
import {
  acceptSend,
  beginSend,
  discardSend,
  failSend,
  isSentAlready,
  type OutgoingMessage,
  retrySend,
  sendParameters,
} from '../state/outbox.ts'
import { noteRecent } from '../state/recent.ts'
import { learnTopics } from '../state/topics.ts'
import { removeUnread } from '../state/unread.ts'
import {
  abandonFetch,
  beginFetch,
  type FetchedMessages,
  isLive,
  type MessageWindow,
  settleAround,
  settleMatches,
  settleNewer,
  settleOlder,
  settleWanted,
  windowOf,
} from '../state/windows.ts'
import type { Message, Reaction } from '../state/wire.ts'
import { call, failureOf } from './call.ts'

/** Number of messages on each side of the anchor: two screens of a large window. */
export const FIRST_FETCH = 60
const NEXT_FETCH = 100
/** The form of messages, with the empty topic as it is. */
export const MESSAGE_FORM = { allow_empty_topic_name: true, client_gravatar: false }

export type Anchor = number | 'newest' | 'first_unread'

async function ask(window: MessageWindow, params: object): Promise<FetchedMessages> {
  return call<FetchedMessages>('GET', '/messages', {
    narrow: narrowParameter(window.narrow),
    ...MESSAGE_FORM,
    ...params,
  })
}

/** @throws ApiFailure, when the messages did not come. */
async function fill(
  window: MessageWindow,
  params: object,
  settle: (
    to: typeof state,
    window: MessageWindow,
    fetch: ReturnType<typeof beginFetch>,
    answer: FetchedMessages,
  ) => boolean,
): Promise<void> {
  const at = state
  const fetch = beginFetch(at)
  try {
    const answer = await ask(window, params)
    // The page has registered anew meanwhile: the answer may be older than that.
    if (!settle(at, window, fetch, answer)) return fill(window, params, settle)
    at.changes.flush()
  } catch (error) {
    abandonFetch(at, fetch)
    throw error
  }
}

/** Fetches messages around an anchor, as the API describes it, into a window. */
export function fillWindow(window: MessageWindow, params: object): Promise<void> {
  return once(`${JSON.stringify(params)} ${window.key}`, () => fill(window, params, settleAround))
}

export function loadAround(window: MessageWindow, anchor: Anchor): Promise<void> {
  const before = anchor === 'newest' ? FIRST_FETCH * 2 : FIRST_FETCH
  const after = anchor === 'newest' ? 0 : FIRST_FETCH
  const params = { anchor, num_before: before, num_after: after }
  const coming = once(`${anchor} ${window.key}`, () => fill(window, params, settleAround))
  awaited.add(coming)
  const settled = () => awaited.delete(coming)
  coming.then(settled, settled)
  return coming
}

/** Requests for messages that somebody waits for: less urgent ones are made after them. */
const awaited = new Set<Promise<void>>()

/** Returns the anchor at which a narrow opens by itself. */
export function openingAnchor(narrow: Narrow): Anchor {
  const conversation = conversationOfNarrow(narrow)
  if (conversation) {
    return state.unread.conversations.has(conversationKey(conversation)) ? 'first_unread' : 'newest'
  }
  const isOfChannels = !isSearch(narrow) && narrow.every(({ operator }) => operator === 'channel')
  return isOfChannels && state.unread.byId.size > 0 ? 'first_unread' : 'newest'
}

/**
 * Fetches what a narrow shows, at a message if one is named, before somebody opens it, as far as events will
 * keep it up to date then.
 */
export function prefetch(narrow: Narrow, near?: number): void {
  if (isSearch(narrow) || !isLive(state, narrow) || state.windows.get(narrowKey(narrow))?.isLoaded) return
  loadAround(windowOf(state, narrow), near ?? openingAnchor(narrow)).catch(() => {})
}

/**
 * Fetches the messages on the screen again, around the middle of it: after a new registration, messages may
 * have come, gone or changed. They stay where they are meanwhile.
 */
export async function refreshOpenWindows(): Promise<void> {
  const stale = [...state.windows.values()].filter(({ isOpen, isStale }) => isOpen && isStale)
  await Promise.all(
    stale.map((window) => {
      const { ids } = window
      const anchor = ids[Math.floor(ids.length / 2)]
      if (anchor === undefined) return loadAround(window, 'newest')
      const each = Math.max(FIRST_FETCH, Math.ceil(ids.length / 2))
      return fill(window, { anchor, num_before: each, num_after: each }, settleAround)
    }),
  )
}

/** Requests of windows under way; a second caller waits for the same request. */
const underWay = new Map<string, Promise<void>>()

function once(key: string, begin: () => Promise<void>): Promise<void> {
  const known = underWay.get(key)
  if (known) return known
  const begun = begin().finally(() => underWay.delete(key))
  underWay.set(key, begun)
  return begun
}

export function loadOlder(window: MessageWindow): Promise<void> {
  const [anchor] = window.ids
  if (window.atOldest || anchor === undefined) return Promise.resolve()
  const params = { anchor, num_before: NEXT_FETCH, num_after: 0, include_anchor: false }
  return once(`older ${window.key}`, () => fill(window, params, settleOlder))
}

export function loadNewer(window: MessageWindow): Promise<void> {
  const anchor = window.ids.at(-1)
  if (window.atNewest || anchor === undefined) return Promise.resolve()
  const params = { anchor, num_before: 0, num_after: NEXT_FETCH, include_anchor: false }
  return once(`newer ${window.key}`, () => fill(window, params, settleNewer))
}

/**
 * Fetches new messages of open channels to which the user is not subscribed, since events do not announce
 * those. Called regularly while somebody looks.
 */
export async function refreshWithoutEvents(): Promise<void> {
  const withoutEvents = [...state.windows.values()].filter(
    ({ isOpen, isLoaded, atNewest, narrow }) => isOpen && isLoaded && atNewest && !isLive(state, narrow),
  )
  await Promise.all(
    withoutEvents.map((window) => {
      const anchor = window.ids.at(-1)
      if (anchor === undefined) return loadAround(window, 'newest')
      const params = { anchor, num_before: 0, num_after: NEXT_FETCH, include_anchor: false }
      return once(`newer ${window.key}`, () => fill(window, params, settleNewer))
    }),
  )
}

/** The state whose newest messages have been fetched. */
let recentOf: ChatState | undefined

/** Whether the recent conversations are known. */
export function knowsRecent(): boolean {
  return recentOf === state
}

/** Fetches the newest messages of all, from which the recent conversations are known, unless they are known. */
export function loadRecent(): Promise<void> {
  return knowsRecent() ? Promise.resolve() : once('recent', fetchRecent)
}

async function fetchRecent(): Promise<void> {
  const at = state
  const answer = await call<FetchedMessages>('GET', '/messages', {
    anchor: 'newest',
    num_before: 400,
    num_after: 0,
    narrow: [],
    ...MESSAGE_FORM,
  })
  for (const message of answer.messages) {
    if (!at.messages.has(message.id)) at.messages.set(message.id, message)
    noteRecent(at, message)
  }
  recentOf = at
  at.changes.flush()
}

/** Fetches messages of which only the ids are known, as many as one request may name. */
export async function loadMessages(ids: readonly number[]): Promise<void> {
  const at = state
  const asked = ids.filter((id) => !at.messages.has(id)).slice(0, 500)
  if (asked.length === 0) return
  const fetch = beginFetch(at)
  try {
    const { messages } = await call('GET', '/messages', { message_ids: asked, ...MESSAGE_FORM })
    settleWanted(at, fetch, asked, messages as Message[])
    for (const id of asked) at.changes.touch('message', id)
    at.changes.flush()
  } catch (error) {
    abandonFetch(at, fetch)
    throw error
  }
}

/** Fetches messages that events have named and the page does not know; called after each batch of events. */
export async function fetchWanted(): Promise<void> {
  const at = state
  const ids = [...new Set([...at.wanted, ...at.unread.toLookAt])].slice(0, 500)
  if (ids.length > 0) {
    for (const id of ids) at.unread.toLookAt.delete(id)
    const fetch = beginFetch(at)
    try {
      const answer = await call('GET', '/messages', { message_ids: ids, allow_empty_topic_name: true })
      settleWanted(at, fetch, ids, answer.messages as Message[])
      at.changes.flush()
    } catch {
      abandonFetch(at, fetch)
    }
  }
  for (const window of at.windows.values()) {
    const asked = [...window.toMatch]
    if (asked.length === 0 || !window.isOpen) continue
    const { messages } = await call('GET', '/messages/matches_narrow', {
      msg_ids: asked,
      narrow: narrowParameter(window.narrow),
    })
    settleMatches(at, window, asked, messages as Parameters<typeof settleMatches>[3])
    at.changes.flush()
  }
}

export function send(conversation: Conversation, content: string): void {
  const outgoing = beginSend(
    state,
    { conversation, content },
    { now: Date.now(), newId: () => crypto.randomUUID() },
  )
  flush()
  void deliver(outgoing)
}

export function sendAgain(localId: string): void {
  const outgoing = retrySend(state, localId)
  flush()
  if (outgoing) void deliver(outgoing)
}

export function discard(localId: string): void {
  discardSend(state, localId)
  flush()
}

async function deliver(outgoing: OutgoingMessage): Promise<void> {
  const at = state
  try {
    const { id } = await call('POST', '/messages', sendParameters(outgoing), {
      idempotencyKey: outgoing.idempotencyKey,
    })
    acceptSend(at, outgoing.localId, id as number)
    if (at.wanted.size > 0) void fetchWanted()
  } catch (error) {
    const failure = failureOf(error)
    failSend(at, outgoing.localId, failure)
    if (isSentAlready(failure)) discardSend(at, outgoing.localId)
  }
  at.changes.flush()
}

/** Returns a message's source. */
export async function sourceOf(id: number): Promise<string> {
  const { message } = await call('GET', `/messages/${id}`, {
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return (message as Message).content
}

/** Deletes a message. `keepalive`: although the page goes away. */
export async function deleteMessage(id: number, keepalive = false): Promise<void> {
  await call('DELETE', `/messages/${id}`, {}, { keepalive })
}

export type MoveExtent = 'change_one' | 'change_later' | 'change_all'

export async function move(
  id: number,
  to: { readonly channelId?: number; readonly topic: string; readonly extent: MoveExtent },
): Promise<void> {
  await call('PATCH', `/messages/${id}`, {
    topic: to.topic,
    propagate_mode: to.extent,
    ...(to.channelId === undefined ? {} : { stream_id: to.channelId }),
  })
}

/** Adds or removes the check mark before the topic. `id`: any message of it. */
export async function toggleResolved(id: number, topic: string): Promise<void> {
  await move(id, { topic: toggledTopic(topic), extent: 'change_all' })
}

/** Returns some message of a topic, which changes of the whole topic have to name. */
export async function newestOf(channelId: number, topic: string): Promise<number | undefined> {
  const { messages } = await call('GET', '/messages', {
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  })
  return (messages as Message[])[0]?.id
}

export interface EmojiChoice {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

export function hasReacted(message: Message, emoji: EmojiChoice): boolean {
  return message.reactions.some(
    (one) =>
      one.user_id === state.me &&
      one.emoji_code === emoji.emoji_code &&
      one.reaction_type === emoji.reaction_type,
  )
}

/** Adds or removes the reaction, at once; undone if the server refuses it. */
export async function toggleReaction(id: number, emoji: EmojiChoice): Promise<void> {
  const message = state.messages.get(id)
  if (!message) return
  const takesOff = hasReacted(message, emoji)
  const { emoji_name, emoji_code, reaction_type } = emoji
  setReaction(message, { emoji_name, emoji_code, reaction_type, user_id: state.me }, !takesOff)
  try {
    await call(takesOff ? 'DELETE' : 'POST', `/messages/${id}/reactions`, {
      emoji_name,
      emoji_code,
      reaction_type,
    })
  } catch (error) {
    const isDoneAlready = ['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'].includes(
      failureOf(error).code,
    )
    if (!isDoneAlready)
      setReaction(message, { emoji_name, emoji_code, reaction_type, user_id: state.me }, takesOff)
    throw error
  }
}

function setReaction(message: Message, reaction: Reaction, adds: boolean): void {
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== reaction.user_id ||
      one.emoji_code !== reaction.emoji_code ||
      one.reaction_type !== reaction.reaction_type,
  )
  message.reactions = adds ? [...others, reaction] : others
  state.changes.touch('message', message.id)
  flush()
}

export async function toggleStar(id: number): Promise<void> {
  const adds = !state.starred.has(id)
  setStar(state, id, adds)
  setFlag(state, id, 'starred', adds)
  flush()
  await call('POST', '/messages/flags', { messages: [id], op: adds ? 'add' : 'remove', flag: 'starred' })
}

const readIds = new Set<number>()
let readTimer: ReturnType<typeof setTimeout> | undefined
const READ_TOGETHER_MS = 400
/** Ids of one request to POST /messages/flags. */
const IDS_AT_ONCE = 1_000

/** Marks messages as read here at once; the server is notified of several together. */
export function markRead(ids: readonly number[]): void {
  for (const id of ids) {
    setFlag(state, id, 'read', true)
    removeUnread(state, id)
    readIds.add(id)
  }
  flush()
  if (readTimer === undefined) readTimer = setTimeout(sendRead, READ_TOGETHER_MS)
}

async function sendRead(): Promise<void> {
  const messages = [...readIds].slice(0, IDS_AT_ONCE)
  for (const id of messages) readIds.delete(id)
  readTimer = readIds.size > 0 ? setTimeout(sendRead, READ_TOGETHER_MS) : undefined
  if (messages.length === 0) return
  try {
    await call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
  } catch (error) {
    if (failureOf(error).isRefused) return
    // Without a connection they are sent with the next ones.
    for (const id of messages) readIds.add(id)
    if (readTimer === undefined) readTimer = setTimeout(sendRead, 5_000)
  }
}

export async function markAllRead(narrow: Narrow): Promise<void> {
  let anchor: number | 'oldest' = 'oldest'
  for (;;) {
    const answer = await call('POST', '/messages/flags/narrow', {
      anchor,
      include_anchor: false,
      num_before: 0,
      num_after: 1_000,
      narrow: [...narrowParameter(narrow), { operator: 'is', operand: 'unread' }],
      op: 'add',
      flag: 'read',
    })
    if (answer.found_newest || answer.last_processed_id === null) return
    anchor = answer.last_processed_id as number
  }
}

/** Takes back that these messages were marked as read. */
export async function markUnread(ids: readonly number[]): Promise<void> {
  // Those of which the server has not heard would be read again, and it announces only what changes.
  const pending = ids.filter((id) => readIds.delete(id))
  for (let from = 0; from < pending.length; from += IDS_AT_ONCE) {
    const messages = pending.slice(from, from + IDS_AT_ONCE)
    await call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
  }
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const messages = ids.slice(from, from + IDS_AT_ONCE)
    await call('POST', '/messages/flags', { messages, op: 'remove', flag: 'read' })
  }
}

/** Marks the message, and those after it in the narrow, as unread. */
export async function markUnreadFrom(narrow: Narrow, id: number): Promise<void> {
  readIds.clear()
  await call('POST', '/messages/flags/narrow', {
    anchor: id,
    include_anchor: true,
    num_before: 0,
    num_after: 1_000,
    narrow: narrowParameter(narrow),
    op: 'remove',
    flag: 'read',
  })
}

export function loadTopics(channelId: number): Promise<void> {
  return once(`topics ${channelId}`, async () => {
    await Promise.allSettled(awaited)
    const at = state
    const { topics } = await call('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
    learnTopics(at, channelId, topics as { name: string; max_id: number }[])
    at.changes.flush()
  })
}

/** The last typing notification, since one is sent only now and then for a conversation. */
let lastTyping = { key: '', at: 0 }
let typingStops: ReturnType<typeof setTimeout> | undefined

export function noteTyping(conversation: Conversation): void {
  const isWanted =
    conversation.kind === 'direct'
      ? state.settings.send_private_typing_notifications
      : state.settings.send_stream_typing_notifications
  if (!isWanted) return
  const key = conversationKey(conversation)
  const { server } = state
  clearTimeout(typingStops)
  typingStops = setTimeout(
    () => stopTyping(conversation),
    server.server_typing_stopped_wait_period_milliseconds,
  )
  const wait = server.server_typing_started_wait_period_milliseconds
  if (lastTyping.key === key && Date.now() - lastTyping.at < wait) return
  lastTyping = { key, at: Date.now() }
  void notifyOfTyping(conversation, 'start')
}

export function stopTyping(conversation: Conversation): void {
  clearTimeout(typingStops)
  if (lastTyping.key !== conversationKey(conversation)) return
  lastTyping = { key: '', at: 0 }
  void notifyOfTyping(conversation, 'stop')
}

/** Notifies others of typing; it does not matter whether that arrives. */
async function notifyOfTyping(conversation: Conversation, op: 'start' | 'stop'): Promise<void> {
  await call(
    'POST',
    '/typing',
    conversation.kind === 'direct'
      ? { op, type: 'direct', to: conversation.peers }
      : { op, type: 'channel', stream_id: conversation.channelId, topic: conversation.topic },
  ).catch(() => {})
}
