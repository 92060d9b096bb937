import type { ChatState, MessageFetch } from './chat-state.ts'
import { conversationOf } from './conversation.ts'
import { belongsTo } from './matches.ts'
import { type Narrow, narrowOf } from './narrow.ts'
import { type FetchedMessages, isLive, settleAround, windowOf } from './windows.ts'

/**
 * Whether a narrow names one message in an address, so that the message's present conversation is shown.
 */
export function isMessageAlone(narrow: Narrow, id: number): boolean {
  return narrow.every(({ operator, operand, negated }) => operator === 'id' && operand === id && !negated)
}

/**
 * Returns the narrow of the conversation in which a known message is now; undefined for an unknown message,
 * and for one that may have been moved without an event.
 */
export function presentNarrow(state: ChatState, id: number): Narrow | undefined {
  const message = state.messages.get(id)
  if (!message || state.stale.has(id)) return undefined
  const narrow = narrowOf(conversationOf(message, state.me))
  return isLive(state, narrow) ? narrow : undefined
}

/** Whether a narrow is known to show the message, so that nothing has to be fetched to find it. */
export function showsMessage(state: ChatState, narrow: Narrow, id: number): boolean {
  if (isMessageAlone(narrow, id) || presentNarrow(state, id) === undefined) return false
  return belongsTo(state, narrow, state.messages.get(id)!) === true
}

/**
 * Enters the answer to a request for the messages around one, with `with`: those of the conversation where it
 * is now. Returns that conversation's narrow; undefined when the message is gone, or hidden: then the answer
 * is about `asked`. Undefined too after a new registration meanwhile, which leaves the fetch unsettled
 * (`settleAround`).
 */
export function settleLinked(
  state: ChatState,
  fetch: MessageFetch,
  asked: Narrow,
  id: number,
  answer: FetchedMessages,
): Narrow | undefined {
  const message = answer.messages.find((one) => one.id === id)
  const narrow = message && narrowOf(conversationOf(message, state.me))
  settleAround(state, windowOf(state, narrow ?? asked), fetch, answer)
  // An event may have moved or deleted it since.
  const known = state.messages.get(id)
  return message && known && narrowOf(conversationOf(known, state.me))
}
