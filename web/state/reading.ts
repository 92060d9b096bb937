import type { ChatState } from './chat-state.ts'
import { setFlag } from './messages.ts'
import { removeUnread } from './unread.ts'

/** Ids of one request to POST /messages/flags. */
const READ_AT_ONCE = 1_000

/**
 * Marks seen messages as read at once, and returns the ids for the server, in lists of one request each,
 * without those that are read already. The event that follows finds everything done.
 */
export function markRead(state: ChatState, ids: Iterable<number>): number[][] {
  const read: number[] = []
  for (const id of ids) {
    setFlag(state, id, 'read', true)
    if (removeUnread(state, id)) read.push(id)
  }
  read.sort((a, b) => a - b)
  const lists: number[][] = []
  for (let from = 0; from < read.length; from += READ_AT_ONCE)
    lists.push(read.slice(from, from + READ_AT_ONCE))
  return lists
}
