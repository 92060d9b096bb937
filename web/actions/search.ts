import { type Narrow, narrowParameter, type SearchRange } from '../state/narrow.ts'
import type { MessageWindow } from '../state/windows.ts'
import type { Message } from '../state/wire.ts'
import { call } from './call.ts'
import { fillWindow, MESSAGE_FORM } from './message-windows.ts'

/** The number of messages of one request. */
const AT_ONCE = 100

/** Fetches the first results of a search, in its order. */
export function loadResults(
  window: MessageWindow,
  range: SearchRange,
  isOldestFirst: boolean,
): Promise<void> {
  const { after, before } = range
  if (isOldestFirst) {
    return fillWindow(window, {
      ...(after === undefined ? { anchor: 'oldest' } : dayAnchor(after)),
      num_before: 0,
      num_after: AT_ONCE,
    })
  }
  return fillWindow(window, {
    ...(before === undefined ? { anchor: 'newest' } : { ...dayAnchor(before), include_anchor: false }),
    num_before: AT_ONCE,
    num_after: 0,
  })
}

function dayAnchor(day: string) {
  return { anchor: 'date', anchor_date: new Date(beginningOf(day) * 1_000).toISOString() }
}

/** Returns when a day begins in the browser's time zone, in UNIX seconds. */
export function beginningOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date).getTime() / 1_000
}

/** Saves a view in the sidebar. `fragment`: its address, without its `#`. */
export async function saveView(fragment: string, name: string): Promise<void> {
  await call('POST', '/navigation_views', { fragment, name, is_pinned: true })
}

export async function renameView(fragment: string, name: string): Promise<void> {
  await call('PATCH', `/navigation_views/${encodeURIComponent(fragment)}`, { name })
}

export async function removeView(fragment: string): Promise<void> {
  await call('DELETE', `/navigation_views/${encodeURIComponent(fragment)}`)
}

/** Returns the newest messages with these words that the user may see, newest first. They are not added to the state. */
export async function findMessages(words: string, limit: number): Promise<readonly Message[]> {
  const { messages } = await call<{ messages: Message[] }>('GET', '/messages', {
    narrow: [{ operator: 'search', operand: words }],
    anchor: 'newest',
    num_before: limit,
    num_after: 0,
    apply_markdown: true,
    ...MESSAGE_FORM,
  })
  return messages.reverse()
}

/** Returns the newest messages of a narrow that have files, newest first. They are not added to the state. */
export async function findFiles(narrow: Narrow, limit: number): Promise<readonly Message[]> {
  const { messages } = await call<{ messages: Message[] }>('GET', '/messages', {
    narrow: narrowParameter([...narrow, { operator: 'has', operand: 'attachment' }]),
    anchor: 'newest',
    num_before: limit,
    num_after: 0,
    apply_markdown: true,
    ...MESSAGE_FORM,
  })
  return messages.reverse()
}
