import { state } from '../chat.ts'
import type { PageOfMessages } from '../state/archive.ts'
import type { ChatState } from '../state/chat-state.ts'
import { conversationKey } from '../state/conversation.ts'
import { conversationOfNarrow, isSearch, type Narrow, narrowKey, narrowParameter } from '../state/narrow.ts'
import { noteRecent } from '../state/recent.ts'
import { learnTopics } from '../state/topics.ts'
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
import type { Message } from '../state/wire.ts'
import { call, NetworkError } from './call.ts'
import { shownSince } from './offline.ts'

/** Number of messages on each side of the anchor: two screens of a large window. */
export const FIRST_FETCH = 60
const NEXT_FETCH = 100
/** The parameters for the form of messages, with the empty topic as it is. */
export const MESSAGE_FORM = { allow_empty_topic_name: true, client_gravatar: false }

export type Anchor = number | 'oldest' | 'newest' | 'first_unread'

interface AnsweredFetch extends FetchedMessages {
  /** Whether it is what this browser has kept, since the server could not be asked. */
  readonly isKept?: boolean
}

async function ask(window: MessageWindow, params: PageOfMessages): Promise<AnsweredFetch> {
  const isAway = shownSince.value !== undefined || !navigator.onLine
  const all = { narrow: narrowParameter(window.narrow), ...MESSAGE_FORM, ...params }
  try {
    return await call<FetchedMessages>('GET', '/messages', all, isAway ? { patience: 0 } : {})
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { answerFromArchive } = await import('./kept-state.ts')
    const answer = await answerFromArchive(window, params).catch(() => undefined)
    if (!answer) throw error
    return { ...answer, isKept: true }
  }
}

/** @throws ApiFailure, if the messages could not be fetched. */
async function fill(
  window: MessageWindow,
  params: PageOfMessages,
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
    // It is fetched again once the server can be asked.
    if (answer.isKept) window.isStale = true
    at.changes.flush()
  } catch (error) {
    abandonFetch(at, fetch)
    throw error
  }
}

/** Fetches messages around an anchor, as the API describes it, into a window. */
export function fillWindow(window: MessageWindow, params: PageOfMessages): Promise<void> {
  return once(`${JSON.stringify(params)} ${window.key}`, () => fill(window, params, settleAround))
}

export function loadAround(window: MessageWindow, anchor: Anchor): Promise<void> {
  const before = anchor === 'newest' ? FIRST_FETCH * 2 : anchor === 'oldest' ? 0 : FIRST_FETCH
  const after = FIRST_FETCH * 2 - before
  const params = { anchor, num_before: before, num_after: after }
  const coming = once(`${anchor} ${window.key}`, () => fill(window, params, settleAround))
  awaited.add(coming)
  const settled = () => awaited.delete(coming)
  coming.then(settled, settled)
  return coming
}

/** Requests for messages that a user waits for; less urgent ones come later. */
const awaited = new Set<Promise<void>>()

/** Returns the anchor at which a narrow opens by default. */
export function openingAnchor(narrow: Narrow): Anchor {
  const conversation = conversationOfNarrow(narrow)
  if (conversation) {
    return state.unread.conversations.has(conversationKey(conversation)) ? 'first_unread' : 'newest'
  }
  const isOfChannels = !isSearch(narrow) && narrow.every(({ operator }) => operator === 'channel')
  return isOfChannels && state.unread.byId.size > 0 ? 'first_unread' : 'newest'
}

/**
 * Prefetches the messages of a narrow, around a message if one is named, if events will keep them up to date.
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
 * those. Called regularly while the page is visible.
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

/** The oldest message that has been fetched for them; undefined when there is none before. */
let recentFrom: number | undefined

/** Whether there may be conversations whose newest message is older than all that have been fetched. */
export function hasOlderRecent(): boolean {
  return knowsRecent() && recentFrom !== undefined
}

/** Fetches the newest messages of all, from which the recent conversations are known, unless they are known. */
export function loadRecent(): Promise<void> {
  return knowsRecent() ? Promise.resolve() : once('recent', () => fetchRecent('newest'))
}

/** Fetches the messages before those, and so the conversations in which nobody has written since. */
export function loadOlderRecent(): Promise<void> {
  return once('older recent', () => fetchRecent(recentFrom ?? 'newest'))
}

async function fetchRecent(anchor: number | 'newest'): Promise<void> {
  const at = state
  const answer = await call<FetchedMessages>('GET', '/messages', {
    anchor,
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
  recentFrom = answer.found_oldest ? undefined : answer.messages[0]?.id
  at.changes.flush()
}

/** Fetches messages by their ids, as many as one request may name. */
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

export function loadTopics(channelId: number): Promise<void> {
  return once(`topics ${channelId}`, async () => {
    await Promise.allSettled(awaited)
    const at = state
    const { topics } = await call('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
    learnTopics(at, channelId, topics as { name: string; max_id: number }[])
    at.changes.flush()
  })
}
