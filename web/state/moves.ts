import type { Address } from './addresses.ts'
import type { ChatState } from './chat-state.ts'
import { type Conversation, conversationKey, type Move, topicKey } from './conversation.ts'
import { type Narrow, narrowKey, narrowOf } from './narrow.ts'
import { isLive, windowOf } from './windows.ts'
import type { WireEvent } from './wire.ts'

type NarrowAddress = Extract<Address, { view: 'narrow' }>

/** Returns the move that an event reports. Called before the state has it: the windows are still as shown. */
export function moveOf(state: ChatState, event: WireEvent): Move {
  const channelId = event.stream_id as number
  const topic = event.orig_subject as string
  const from = { kind: 'topic' as const, channelId, topic }
  const ids = event.message_ids as readonly number[]
  const gone = new Set(ids)
  return {
    from,
    to: {
      kind: 'topic',
      channelId: (event.new_stream_id as number | undefined) ?? channelId,
      topic: (event.subject as string | undefined) ?? topic,
    },
    ids,
    extent: event.propagate_mode as Move['extent'],
    shown: state.windows.get(narrowKey(narrowOf(from)))?.ids.filter((id) => gone.has(id)) ?? [],
  }
}

/**
 * Returns the address to which a view follows a move of what it shows; undefined for a view that stays. The
 * whole topic is followed, and a part of it that goes with `lookedAt`, the message at which the reader is. A single message that leaves a
 * topic is followed only by an address that names it.
 */
export function followed(
  state: ChatState,
  move: Move,
  shown: NarrowAddress,
  lookedAt: number | undefined,
): NarrowAddress | undefined {
  const { from, to, ids, extent } = move
  if (!isNarrowOf(shown.narrow, from)) return undefined
  const isRespelled = conversationKey(from) === conversationKey(to)
  const isNamed = (id: number | undefined) => id !== undefined && ids.includes(id)
  const follows =
    isRespelled ||
    extent === 'change_all' ||
    isEmptied(state, from) ||
    isNamed(extent === 'change_later' ? lookedAt : (shown.near ?? shown.with))
  if (!follows) return undefined
  const narrow = shown.narrow.map((term) => {
    if (term.operator === 'channel') return { ...term, operand: to.channelId }
    return term.operator === 'topic' ? { ...term, operand: to.topic } : term
  })
  // Elsewhere no event says where the message is, so that it would be looked for.
  const isKept = isRespelled || isLive(state, narrowOf(to))
  return {
    view: 'narrow',
    narrow,
    ...(isKept && (isRespelled || isNamed(shown.near)) ? { near: shown.near } : {}),
    ...(isKept && (isRespelled || isNamed(shown.with)) ? { with: shown.with } : {}),
  }
}

function isNarrowOf(narrow: Narrow, { channelId, topic }: Move['from']): boolean {
  const has = (operator: 'channel' | 'topic', isIt: (operand: unknown) => boolean) =>
    narrow.some((term) => term.operator === operator && !term.negated && isIt(term.operand))
  return (
    has('channel', (operand) => operand === channelId) &&
    has('topic', (operand) => topicKey(operand as string) === topicKey(topic))
  )
}

function isEmptied(state: ChatState, from: Conversation): boolean {
  const window = state.windows.get(narrowKey(narrowOf(from)))
  return window?.isLoaded === true && window.ids.length === 0
}

/** Copies the shown messages into the window of a followed move, until that window is loaded. */
export function carryWindow(state: ChatState, { from, to, ids, shown }: Move): void {
  const window = windowOf(state, narrowOf(to))
  if (window.isLoaded) return
  // A second move in the same batch finds what the first has carried.
  const source = windowOf(state, narrowOf(from))
  const carried = shown.length > 0 || !source.isStale ? shown : source.ids.filter((id) => ids.includes(id))
  if (carried.length === 0) return
  if (source.isStale && !source.isOpen) source.isLoaded = false
  Object.assign(window, {
    ids: [...carried],
    atOldest: false,
    // A reader at the end follows the notice of the move there.
    atNewest: source.atNewest,
    isLoaded: true,
    isStale: true,
  })
  state.changes.touch('window', window.key)
}
