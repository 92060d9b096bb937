import { state } from '../../chat.ts'
import { conversationKey, conversationOf } from '../../state/conversation.ts'
import { shownMessage } from '../../state/muted-people.ts'
import { conversationOfNarrow, isSearch, type Narrow } from '../../state/narrow.ts'
import { outgoingIn, rowKey } from '../../state/outbox.ts'
import type { Message } from '../../state/wire.ts'
import { dayKey } from '../../ui/time.tsx'
import { leaving } from '../message/deletions.ts'
import type { Row } from './row.ts'

/** Seconds within which messages of the same person are grouped. */
const TOGETHER = 300

/**
 * Returns the rows of a list, from top to bottom. `unreadFrom`: the message below the line that marks new
 * messages.
 */
export function rowsOf(
  narrow: Narrow,
  ids: readonly number[],
  unreadFrom: number | undefined,
  atEnd: boolean,
): Row[] {
  const rows: Row[] = []
  const isMixed = conversationOfNarrow(narrow) === undefined
  const isFound = isSearch(narrow)
  let before: Message | undefined
  for (const id of ids) {
    const message = shownMessage(state, id)
    if (!message || leaving.value.has(id)) continue
    const isNewDay = !before || dayKey(before.timestamp) !== dayKey(message.timestamp)
    const isElsewhere =
      isMixed &&
      (!before ||
        conversationKey(conversationOf(before, state.me)) !==
          conversationKey(conversationOf(message, state.me)))
    if (isNewDay) rows.push({ kind: 'day', key: `day ${id}`, seconds: message.timestamp })
    const isFirstUnread = id === unreadFrom
    if (isFirstUnread) rows.push({ kind: 'unread', key: 'unread' })
    if (isElsewhere) rows.push({ kind: 'heading', key: `heading ${id}`, message })
    const begins = isNewDay || isElsewhere || isFirstUnread || !standsWith(before!, message)
    rows.push({ kind: 'message', key: rowKey(state, id), id, begins, isFound })
    before = message
  }
  if (atEnd) {
    let last = before?.timestamp
    let sender = before?.sender_id
    for (const { localId, sentAt } of outgoingIn(state, narrow)) {
      const isNewDay = last === undefined || dayKey(last) !== dayKey(sentAt)
      if (isNewDay) rows.push({ kind: 'day', key: `day ${localId}`, seconds: sentAt })
      const begins = isNewDay || sender !== state.me || sentAt - last! >= TOGETHER
      rows.push({ kind: 'outgoing', key: localId, localId, begins })
      last = sentAt
      sender = state.me
    }
  }
  return rows
}

function standsWith(before: Message, message: Message): boolean {
  return (
    before.sender_id === message.sender_id &&
    !message.is_me_message &&
    !before.is_me_message &&
    message.timestamp - before.timestamp < TOGETHER
  )
}
