import {
  abandonFetch,
  applyEvents,
  beginFetch,
  type ChatState,
  channelNarrow,
  createState,
  DIRECT_MESSAGES,
  type FetchedMessages,
  MENTIONS,
  type MessageFetch,
  type MessageWindow,
  type Narrow,
  narrowParameter,
  openWindow,
  REGISTER_OPTIONS,
  type Snapshot,
  STARRED,
  settleAround,
  settleNewer,
  settleOlder,
  settleWanted,
  topicNarrow,
} from '../../web/state/index.ts'
import type { Json } from '../support/json.ts'
import { unreadOfSnapshot } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import { countedBy, withoutArchived } from './page-client.ts'
import { ClientQueue, type Person, succeed } from './person.ts'

/**
 * The page in use: it registers by itself, opens conversations, and requests what it needs. Answers may be on their way
 * while things happen.
 */
export interface WalkingPage {
  readonly person: Person
  readonly queue: ClientQueue
  readonly state: ChatState
  /** An answer that was given but has not been processed. */
  late: (() => void) | undefined
}

const FORM = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }

export async function openWalkingPage(person: Person): Promise<WalkingPage> {
  const snapshot = await succeed(person, 'POST', '/register', REGISTER_OPTIONS)
  const queue = new ClientQueue(person, snapshot)
  return { person, queue, state: createState(snapshot as Snapshot), late: undefined }
}

/** Applies the events so far, and makes the requests that follow from them, as the page's actions do. */
export async function catchUp({ person, queue, state }: WalkingPage): Promise<void> {
  applyEvents(state, await queue.events(), 0)
  for (let round = 0; round < 3; round += 1) {
    const ids = [...state.wanted, ...state.unread.toLookAt]
    if (ids.length === 0) return
    const fetch = beginFetch(state)
    const { messages } = await succeed(person, 'GET', '/messages', { message_ids: ids, ...FORM })
    settleWanted(state, fetch, ids, messages)
  }
}

/** Opens a conversation; the answers to its requests come at once, or late. */
export async function look(page: WalkingPage, { where, how }: { where: number; how: number }): Promise<void> {
  page.late?.()
  page.late = undefined
  const { state, person } = page
  const narrows = narrowsOf(state)
  const window = openWindow(state, narrows[where % narrows.length]!)
  const request = requestFor(window, how)
  if (!request) return
  const fetch = beginFetch(state)
  const params = { narrow: narrowParameter(window.narrow), ...request.params, ...FORM }
  const { status, body: answer } = await person.request('GET', '/messages', params)
  if (status !== 200) {
    // The channel is no longer visible, and the page has not had the event about it yet.
    if (answer.code !== 'BAD_NARROW') throw new Error(`GET /messages: ${JSON.stringify(answer)}`)
    abandonFetch(state, fetch)
    return
  }
  const settle = () => request.settle(state, window, fetch, answer)
  if (how % 3 === 0) page.late = settle
  else settle()
}

interface Request {
  readonly params: Json
  settle(state: ChatState, window: MessageWindow, fetch: MessageFetch, answer: FetchedMessages): boolean
}

function requestFor(window: MessageWindow, how: number): Request | undefined {
  if (!window.isLoaded || how % 5 === 0) {
    const anchor = how % 2 === 0 ? 'newest' : 'first_unread'
    return { params: { anchor, num_before: 3, num_after: 3 }, settle: settleAround }
  }
  const [anchor] = window.ids
  if (anchor === undefined) return undefined
  if (!window.atOldest) {
    return {
      params: { anchor, num_before: 2, num_after: 0, include_anchor: false },
      settle: settleOlder,
    }
  }
  if (window.atNewest) return undefined
  const params = { anchor: window.ids.at(-1), num_before: 0, num_after: 2, include_anchor: false }
  return { params, settle: settleNewer }
}

function narrowsOf(state: ChatState): Narrow[] {
  const channels = [...state.channels.values()].map(({ stream_id }) => stream_id)
  const topics = [...state.unread.conversations.values()].flatMap(({ conversation }) =>
    conversation.kind === 'topic' ? [topicNarrow(conversation.channelId, conversation.topic)] : [],
  )
  return [[], STARRED, MENTIONS, DIRECT_MESSAGES, ...channels.map(channelNarrow), ...topics]
}

/** Returns the differences between the page's unread messages and those of a new registration. */
export async function unreadDifferences(page: WalkingPage): Promise<string[]> {
  const { person, state } = page
  const snapshot = await succeed(person, 'POST', '/register', {
    ...REGISTER_OPTIONS,
    event_types: ['message', 'update_message_flags'],
  })
  await new ClientQueue(person, snapshot).end()
  const fresh = unreadOfSnapshot({
    me: state.me,
    register: snapshot as { unread_msgs: Snapshot['unread_msgs'] },
  })
  const counted = withoutArchived(state, fresh)
  return differencesBetween(countedBy(state), counted).map((one) => `${person.fullName}, unread ${one}`)
}

/** Returns the differences between the messages of the page's open windows and those in their ranges. */
export async function windowDifferences(
  { person, state, late }: WalkingPage,
  isExpected: (id: number) => boolean,
): Promise<string[]> {
  // Late messages are not in the window yet.
  if (late) return []
  const found: string[] = []
  for (const window of state.windows.values()) {
    if (!window.isLoaded) continue
    const { messages } = await succeed(person, 'GET', '/messages', {
      narrow: narrowParameter(window.narrow),
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
      ...FORM,
    })
    const [first = 0, last = Number.POSITIVE_INFINITY] = [window.ids[0], window.ids.at(-1)]
    const from = window.atOldest ? 0 : first
    const to = window.atNewest ? Number.POSITIVE_INFINITY : last
    if (window.ids.length === 0 && !(window.atOldest && window.atNewest)) continue
    const there = messages
      .map(({ id }: Json) => id)
      .filter((id: number) => id >= from && id <= to && isExpected(id))
    const shown = window.ids.filter((id) => isExpected(id))
    if (there.join() !== shown.join()) {
      found.push(`${person.fullName}, ${window.key || 'everything'}: ${shown} | ${there}`)
    }
  }
  return found
}
