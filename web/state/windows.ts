import type { ChatState, MessageFetch, MessageWindow } from './chat-state.ts'
import { belongsTo } from './matches.ts'
import { channelOfNarrow, type IsOperand, type Narrow, narrowKey } from './narrow.ts'
import { settleOutgoing } from './outbox.ts'
import { noteRecent } from './recent.ts'
import { star } from './stars.ts'
import { noteTopic } from './topics.ts'
import { correctMentions, mentionFacts } from './unread.ts'
import type { Message } from './wire.ts'

export type { MessageFetch, MessageWindow } from './chat-state.ts'

/** The part of the answer of GET /messages that is used. */
export interface FetchedMessages {
  readonly messages: readonly Message[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

/** The number of closed windows that are kept. */
const KEPT_WINDOWS = 30
/** Number of messages in such a window. */
const KEPT_IN_WINDOW = 200
/** Limit of unknown messages named by events during a request, up to which they are fetched by id. */
const ASKED_AT_ONCE = 200
/** Number of messages in memory beyond those of windows, and as many again before they are swept. */
const KEPT_LOOSE = 1_000

/** Returns the window of a narrow, made when there is none. */
export function windowOf(state: ChatState, narrow: Narrow): MessageWindow {
  const key = narrowKey(narrow)
  const known = state.windows.get(key)
  if (known) return known
  const made: MessageWindow = {
    key,
    narrow,
    ids: [],
    atOldest: false,
    atNewest: false,
    isLoaded: false,
    isStale: false,
    toMatch: new Set(),
    isOpen: false,
  }
  state.windows.set(key, made)
  return made
}

/**
 * Begins a fetch. It is called before the request, whose answer goes to one of the `settle…` functions with
 * the returned value. After a new registration they return false and do nothing, since the answer may be older than that.
 */
export function beginFetch(state: ChatState): MessageFetch {
  const fetch: MessageFetch = { touched: new Set(), removed: new Set(), removedChannels: new Set() }
  state.fetches.add(fetch)
  return fetch
}

export function abandonFetch(state: ChatState, fetch: MessageFetch): void {
  state.fetches.delete(fetch)
}

/**
 * Enters the messages around an anchor. They replace those of the window, or extend it where both have
 * messages in common.
 */
export function settleAround(
  state: ChatState,
  window: MessageWindow,
  fetch: MessageFetch,
  answer: FetchedMessages,
): boolean {
  if (!state.fetches.has(fetch)) return false
  const ids = learnFetched(state, fetch, answer.messages)
  const overlaps =
    window.isLoaded &&
    !window.isStale &&
    window.ids.length > 0 &&
    ids.length > 0 &&
    ids.at(-1)! >= window.ids[0]! &&
    ids[0]! <= window.ids.at(-1)!
  if (overlaps) {
    const isOlder = ids[0]! <= window.ids[0]!
    const isNewer = ids.at(-1)! >= window.ids.at(-1)!
    window.atOldest = (isOlder && answer.found_oldest) || window.atOldest
    window.atNewest = (isNewer && answer.found_newest) || window.atNewest
    // Messages in the answer's range that it lacks are gone.
    const outside = window.ids.filter((id) => id < ids[0]! || id > ids.at(-1)!)
    window.ids = mergeIds(outside, ids)
  } else {
    Object.assign(window, { ids, atOldest: answer.found_oldest, atNewest: answer.found_newest })
  }
  window.isStale = false
  settle(state, window, fetch)
  return true
}

export function settleOlder(
  state: ChatState,
  window: MessageWindow,
  fetch: MessageFetch,
  answer: FetchedMessages,
): boolean {
  if (!state.fetches.has(fetch)) return false
  const first = window.ids[0] ?? Number.POSITIVE_INFINITY
  const older = learnFetched(state, fetch, answer.messages).filter((id) => id < first)
  window.ids = [...older, ...window.ids]
  window.atOldest = answer.found_oldest
  settle(state, window, fetch)
  return true
}

export function settleNewer(
  state: ChatState,
  window: MessageWindow,
  fetch: MessageFetch,
  answer: FetchedMessages,
): boolean {
  if (!state.fetches.has(fetch)) return false
  const last = window.ids.at(-1) ?? 0
  const newer = learnFetched(state, fetch, answer.messages).filter((id) => id > last)
  window.ids = [...window.ids, ...newer]
  window.atNewest = answer.found_newest
  settle(state, window, fetch)
  return true
}

/** Enters messages that were fetched by id (`state.wanted`) into their windows. */
export function settleWanted(
  state: ChatState,
  fetch: MessageFetch,
  asked: readonly number[],
  messages: readonly Message[],
): boolean {
  if (!state.fetches.has(fetch)) return false
  for (const id of asked) state.wanted.delete(id)
  const ids = learnFetched(state, fetch, messages)
  const come = new Set(messages.map(({ id }) => id))
  for (const id of asked) if (!come.has(id)) star(state, id, false)
  state.fetches.delete(fetch)
  for (const id of ids) insertIntoWindows(state, state.messages.get(id)!)
  return true
}

/** Settles the matches of a search: those of `asked` that belong to it by the server's answer. */
export function settleMatches(
  state: ChatState,
  window: MessageWindow,
  asked: readonly number[],
  matching: Readonly<Record<string, { match_content: string; match_subject: string }>>,
): void {
  for (const id of asked) {
    window.toMatch.delete(id)
    const message = state.messages.get(id)
    const match = matching[String(id)]
    if (!message || !match) continue
    Object.assign(message, match)
    insertId(state, window, id)
  }
}

/** Adds a new, moved or fetched message to each window to which it belongs, and removes it from others. */
export function insertIntoWindows(state: ChatState, message: Message, { isNew = false } = {}): void {
  for (const window of state.windows.values()) {
    if (!window.isLoaded) continue
    const belongs = belongsTo(state, window.narrow, message)
    const isThere = hasId(window.ids, message.id)
    if (belongs === false && isThere && !staysAsRead(window)) removeId(state, window, message.id)
    else if (belongs === true && !isThere) insertId(state, window, message.id)
    else if (belongs === undefined && !isThere && isNew && covers(window, message.id)) {
      window.toMatch.add(message.id)
      state.changes.touch('window', window.key)
    }
  }
}

/**
 * Whether read messages stay in a list: in a list of unread ones they stay until it is opened again, so that
 * nothing moves while a user reads.
 */
function staysAsRead({ narrow }: MessageWindow): boolean {
  return narrow.some(({ operator, operand }) => operator === 'is' && operand === 'unread')
}

export function removeFromWindows(state: ChatState, id: number): void {
  for (const window of state.windows.values()) {
    window.toMatch.delete(id)
    if (hasId(window.ids, id)) removeId(state, window, id)
  }
}

/** Whether some window would show an unknown message in this conversation. Then it has to be fetched. */
export function isWantedBy(state: ChatState, id: number, channelId: number, topic: string): boolean {
  const stand = { stream_id: channelId, subject: topic }
  for (const { narrow, isLoaded, ids, atOldest, atNewest } of state.windows.values()) {
    if (!isLoaded || !covers({ ids, atOldest, atNewest }, id)) continue
    const mayBelong = narrow.every(({ operator, operand, negated }) => {
      if (negated) return true
      if (operator === 'channel') return operand === stand.stream_id
      if (operator === 'topic') return (operand as string).toLowerCase() === stand.subject.toLowerCase()
      return operator !== 'dm' && !(operator === 'is' && operand === 'dm')
    })
    if (mayBelong) return true
  }
  return false
}

/** Whether some window would show an unknown message because of an event about it. */
export function isWantedAs(state: ChatState, id: number, wanted: IsOperand): boolean {
  return [...state.windows.values()].some(
    (window) =>
      window.isLoaded &&
      covers(window, id) &&
      window.narrow.some(({ operator, operand }) => operator === 'is' && operand === wanted),
  )
}

/** Unloads windows of followed or muted messages when that has changed. */
export function unloadByAttention(state: ChatState): void {
  for (const window of state.windows.values()) {
    const depends = window.narrow.some(
      ({ operator, operand }) =>
        operator === 'in' || (operator === 'is' && (operand === 'followed' || operand === 'muted')),
    )
    if (!depends || !window.isLoaded) continue
    window.isLoaded = false
    state.changes.touch('window', window.key)
  }
}

/**
 * Whether events keep the window up to date. There are none for channels where the user is not subscribed.
 */
export function isLive({ channels }: ChatState, narrow: Narrow): boolean {
  const channelId = channelOfNarrow(narrow)
  return channelId === undefined || channels.get(channelId)?.subscription !== undefined
}

export function openWindow(state: ChatState, narrow: Narrow): MessageWindow {
  const window = windowOf(state, narrow)
  // The last opened window is dropped last.
  state.windows.delete(window.key)
  state.windows.set(window.key, window)
  window.isOpen = true
  return window
}

export function closeWindow(state: ChatState, narrow: Narrow): void {
  const window = state.windows.get(narrowKey(narrow))
  if (!window) return
  window.isOpen = false
  shorten(window)
  // No event covers it until it is opened again, or it is older than what is known now.
  if (!isLive(state, narrow) || window.isStale) window.isLoaded = false
  dropOldWindows(state)
}

/** Keeps the messages from one id to another: those far from the reader can be fetched again. */
export function trimWindow(state: ChatState, window: MessageWindow, fromId: number, toId: number): void {
  const kept = window.ids.filter((id) => id >= fromId && id <= toId)
  if (kept.length === window.ids.length) return
  window.atOldest &&= kept[0] === window.ids[0]
  window.atNewest &&= kept.at(-1) === window.ids.at(-1)
  window.ids = kept
  state.changes.touch('window', window.key)
}

/**
 * Drops messages that no window shows, oldest first, once there are many, so that a page that is open for weeks does not grow. Closed windows
 * keep their newest part.
 */
export function dropLooseMessages(state: ChatState): void {
  if (state.messages.size < state.sweepAt) return
  const shown = new Set<number>()
  for (const window of state.windows.values()) {
    if (!window.isOpen) shorten(window)
    for (const id of [...window.ids, ...window.toMatch]) shown.add(id)
  }
  let loose = state.messages.size - shown.size
  for (const id of state.messages.keys()) {
    if (loose <= KEPT_LOOSE) break
    if (shown.has(id)) continue
    state.messages.delete(id)
    state.stale.delete(id)
    state.changes.forget(`message ${id}`)
    loose -= 1
  }
  state.sweepAt = state.messages.size + KEPT_LOOSE
}

function shorten(window: MessageWindow): void {
  if (window.ids.length <= KEPT_IN_WINDOW) return
  // Users return for the newest ones; a window elsewhere may keep any.
  window.ids = window.ids.slice(-KEPT_IN_WINDOW)
  window.atOldest = false
}

function dropOldWindows(state: ChatState): void {
  let surplus = state.windows.size - KEPT_WINDOWS
  for (const [key, { isOpen }] of state.windows) {
    if (surplus <= 0) return
    if (isOpen) continue
    state.windows.delete(key)
    state.changes.forget(`window ${key}`)
    surplus -= 1
  }
}

/** Enters the messages of an answer; returns the ascending ids of those that exist. */
function learnFetched(state: ChatState, fetch: MessageFetch, messages: readonly Message[]): number[] {
  const ids: number[] = []
  for (const message of messages) {
    const isGone = fetch.removed.has(message.id) || fetch.removedChannels.has(message.stream_id ?? 0)
    if (isGone) continue
    ids.push(message.id)
    const known = state.messages.get(message.id)
    // An event has changed it meanwhile: the known message has the change, the answer may not.
    if (known && fetch.touched.has(message.id) && !state.stale.has(message.id)) continue
    if (fetch.touched.has(message.id)) state.wanted.add(message.id)
    learn(state, message, known)
  }
  return ids.sort((a, b) => a - b)
}

function learn(state: ChatState, message: Message, known: Message | undefined): void {
  state.messages.set(message.id, message)
  state.stale.delete(message.id)
  correctMentions(state, message.id, mentionFacts(message))
  if (message.flags.includes('starred')) star(state, message.id, true)
  if (message.type === 'stream') noteTopic(state, message.stream_id!, message.subject, message.id)
  noteRecent(state, message)
  settleOutgoing(state, message)
  if (known && JSON.stringify(known) !== JSON.stringify(message)) state.changes.touch('message', message.id)
}

function settle(state: ChatState, window: MessageWindow, fetch: MessageFetch): void {
  state.fetches.delete(fetch)
  window.isLoaded = true
  // Messages that came during the request are in the window only if it already reached that far.
  let unknown = 0
  for (const id of fetch.touched) {
    const message = state.messages.get(id)
    if (!message) {
      if (fetch.removed.has(id) || !covers(window, id)) continue
      unknown += 1
      if (unknown <= ASKED_AT_ONCE) state.wanted.add(id)
      continue
    }
    const belongs = belongsTo(state, window.narrow, message)
    const isThere = hasId(window.ids, id)
    if (belongs === true && !isThere) insertId(state, window, id)
    else if (belongs === false && isThere) removeId(state, window, id)
    else if (belongs === undefined && !isThere && covers(window, id)) window.toMatch.add(id)
  }
  // A long topic was moved meanwhile: it is simpler to fetch all of it again.
  if (unknown > ASKED_AT_ONCE || fetch.removedChannels.has(channelOfNarrow(window.narrow) ?? 0)) {
    window.isLoaded = false
  }
  state.changes.touch('window', window.key)
}

/** Whether a message with this id would be in the window, if it belonged. */
function covers(
  { ids, atOldest, atNewest }: Pick<MessageWindow, 'ids' | 'atOldest' | 'atNewest'>,
  id: number,
): boolean {
  if (ids.length === 0) return atOldest && atNewest
  return (atOldest || id > ids[0]!) && (atNewest || id < ids.at(-1)!)
}

function insertId(state: ChatState, window: MessageWindow, id: number): void {
  if (!covers(window, id)) return
  window.ids = withId(window.ids, id)
  state.changes.touch('window', window.key)
}

function removeId(state: ChatState, window: MessageWindow, id: number): void {
  window.ids = window.ids.filter((one) => one !== id)
  state.changes.touch('window', window.key)
}

/** A new list, so that holders of the old one see the difference. */
function withId(ids: readonly number[], id: number): number[] {
  const at = indexOfId(ids, id)
  return ids[at] === id ? [...ids] : ids.toSpliced(at, 0, id)
}

function mergeIds(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y)
}

function hasId(ids: readonly number[], id: number): boolean {
  return ids[indexOfId(ids, id)] === id
}

/** Returns the index of the id, or where it would be. */
function indexOfId(ids: readonly number[], id: number): number {
  let from = 0
  let to = ids.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (ids[middle]! < id) from = middle + 1
    else to = middle
  }
  return from
}
