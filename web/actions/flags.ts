import { flush, state } from '../chat.ts'
import { setFlag } from '../state/messages.ts'
import { type Narrow, narrowParameter } from '../state/narrow.ts'
import { star as setStar } from '../state/stars.ts'
import { removeUnread } from '../state/unread.ts'
import { call, failureOf } from './call.ts'

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
/** The number of ids in one request to POST /messages/flags. */
const IDS_AT_ONCE = 1_000

/** Marks messages as read here at once; the server is told in batches. */
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

/** Undoes the marking of these messages as read. */
export async function markUnread(ids: readonly number[]): Promise<void> {
  // Pending marks would be sent later, and the server announces only changes.
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

/** Marks the message, and those after it in the narrow, as unread. Returns how many were read. */
export async function markUnreadFrom(narrow: Narrow, id: number): Promise<number> {
  // What was read elsewhere stays read, and the server announces only changes of what it knows.
  if (readIds.size > 0) await sendRead()
  for (const read of readIds) if (read >= id) readIds.delete(read)
  const { updated_count } = await call<{ updated_count: number }>('POST', '/messages/flags/narrow', {
    anchor: id,
    include_anchor: true,
    num_before: 0,
    num_after: 1_000,
    narrow: narrowParameter(narrow),
    op: 'remove',
    flag: 'read',
  })
  return updated_count
}
