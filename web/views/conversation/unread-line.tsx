import { useRef } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { isSearch } from '../../state/narrow.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { t } from '../../texts/texts.ts'

/** Stands above the first message that was unread when the list was opened; fades when all of them are read. */
export function UnreadLine({ window }: { readonly window: MessageWindow }) {
  watch('unread')
  const isRead = useRef(false)
  isRead.current ||= firstUnreadOf(window) === undefined
  return (
    <p class={isRead.current ? 'unread-line unread-line-read' : 'unread-line'}>
      <span>{t.list.newFromHere}</span>
    </p>
  )
}

/** Returns the first unread message of a window; undefined in a search, whose hits are shown from the newest. */
export function firstUnreadOf({ ids, narrow }: MessageWindow): number | undefined {
  return isSearch(narrow) ? undefined : ids.find((id) => state.unread.byId.has(id))
}
