import { state } from '../chat.ts'
import { conversationOf } from '../state/conversation.ts'
import { isMessageAlone, presentNarrow, settleLinked, showsMessage } from '../state/links.ts'
import { conversationOfNarrow, type Narrow, narrowKey, narrowOf, narrowParameter } from '../state/narrow.ts'
import { abandonFetch, beginFetch, type FetchedMessages, settleWanted, windowOf } from '../state/windows.ts'
import type { Message } from '../state/wire.ts'
import { call, failureOf } from './call.ts'
import { FIRST_FETCH, loadAround, MESSAGE_FORM } from './message-windows.ts'

/**
 * Fetches the messages around one that an address names, and returns the narrow that shows it: that of the
 * address, or of the conversation in which the message is now. Undefined when the message is gone, or hidden.
 * @throws ApiError, NetworkError
 */
export function findLinked(narrow: Narrow, id: number): Promise<Narrow | undefined> {
  const key = `${id} ${narrowKey(narrow)}`
  const known = underWay.get(key)
  if (known) return known
  const begun = find(narrow, id).finally(() => underWay.delete(key))
  underWay.set(key, begun)
  return begun
}

/** Requests under way: one that hovering over the link has started serves the click too. */
const underWay = new Map<string, Promise<Narrow | undefined>>()

async function find(narrow: Narrow, id: number): Promise<Narrow | undefined> {
  if (showsMessage(state, narrow, id)) return narrow
  const isAlone = isMessageAlone(narrow, id)
  const isSelection = !isAlone && conversationOfNarrow(narrow) === undefined
  if (isSelection) {
    const window = windowOf(state, narrow)
    await loadAround(window, id)
    if (window.ids.includes(id)) return narrow
  }
  const present = presentNarrow(state, id)
  if (present) return present
  return isAlone || isSelection ? fetchAlone(id) : fetchLinked(narrow, id)
}

/** Fetches a message alone; its conversation is loaded when it is shown. */
async function fetchAlone(id: number): Promise<Narrow | undefined> {
  const at = state
  const fetch = beginFetch(at)
  try {
    const { messages } = await call('GET', '/messages', { message_ids: [id], ...MESSAGE_FORM })
    if (!settleWanted(at, fetch, [id], messages as Message[])) return fetchAlone(id)
    at.changes.flush()
    const message = at.messages.get(id)
    return message && narrowOf(conversationOf(message, at.me))
  } catch (error) {
    abandonFetch(at, fetch)
    throw error
  }
}

/** Fetches the messages around one, in the conversation where it is now. */
async function fetchLinked(asked: Narrow, id: number): Promise<Narrow | undefined> {
  const at = state
  const fetch = beginFetch(at)
  try {
    const answer = await call<FetchedMessages>('GET', '/messages', {
      narrow: narrowParameter(asked, { with: id }),
      anchor: id,
      num_before: FIRST_FETCH,
      num_after: FIRST_FETCH,
      ...MESSAGE_FORM,
    })
    // The page has registered anew meanwhile: the answer may be older than that.
    if (!at.fetches.has(fetch)) return fetchLinked(asked, id)
    const found = settleLinked(at, fetch, asked, id, answer)
    at.changes.flush()
    return found
  } catch (error) {
    abandonFetch(at, fetch)
    // This user can see neither the message nor the conversation.
    if (failureOf(error).code === 'BAD_NARROW') return undefined
    throw error
  }
}
