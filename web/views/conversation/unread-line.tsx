import { state } from '../../chat.ts'
import { isSearch } from '../../state/narrow.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { t } from '../../texts/texts.ts'

/** Stands above the first message that was unread when the list was opened, until the view is left: what is read moves nothing. */
export function UnreadLine() {
  return (
    <p class="unread-line">
      <span>{t.list.newFromHere}</span>
    </p>
  )
}

/** Returns the first unread message of a window; undefined in a search, whose hits are shown from the newest. */
export function firstUnreadOf({ ids, narrow }: MessageWindow): number | undefined {
  return isSearch(narrow) ? undefined : ids.find((id) => state.unread.byId.has(id))
}
