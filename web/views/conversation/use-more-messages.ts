import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { loadNewer, loadOlder } from '../../actions/message-windows.ts'
import { state } from '../../chat.ts'
import { type MessageWindow, trimWindow } from '../../state/windows.ts'
import type { DrawnRows } from './drawn-rows.ts'
import type { Row } from './row.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

/** The number of screens of messages left at which more are fetched. */
const SCREENS_LEFT = 2
/** Rows that stay in the document around the reader's. */
const ROWS_KEPT = 300
/** Number of excess rows at which those far from the reader are removed. */
const ROWS_TOO_MANY = 60
/** Rows that are removed in a frame. */
const ROWS_TRIMMED = 20

interface ListOfMessages {
  readonly window: MessageWindow
  readonly rows: readonly Row[]
  readonly drawn: DrawnRows
  readonly view: RefObject<HTMLDivElement | null>
  readonly keeper: RefObject<ScrollKeeper | null>
}

/** Returns a function that fetches more messages where the reader comes near the end of those that are there, and removes those far away. */
export function useMoreMessages({ window, rows, drawn, view, keeper }: ListOfMessages): () => void {
  const trimming = useRef(0)
  useEffect(() => () => cancelAnimationFrame(trimming.current), [])
  // Muted people may have written the newest ones.
  const isAllMuted =
    window.isLoaded && window.ids.length > 0 && window.ids.length < ROWS_KEPT && rows.length === 0
  useEffect(() => {
    if (isAllMuted && !window.atOldest) loadOlder(window).catch(() => {})
  })

  const trim = () => {
    trimming.current = 0
    const { ids } = window
    const at = ids.indexOf(Number(keeper.current?.firstVisible?.dataset.id))
    // No rows are removed while others are being added.
    if (at === -1 || !drawn.isWhole) return
    const above = Math.min(ROWS_TRIMMED, Math.max(0, at - ROWS_KEPT / 2))
    const below = Math.min(ROWS_TRIMMED - above, Math.max(0, ids.length - 1 - at - ROWS_KEPT / 2))
    if (above + below === 0) return
    trimWindow(state, window, ids[above]!, ids[ids.length - 1 - below]!)
    state.changes.flush()
    trimming.current = requestAnimationFrame(trim)
  }
  return () => {
    const element = view.current
    if (!element || !window.isLoaded) return
    // A reader who scrolls without a pause would have ever more rows, faster than they are removed.
    if (window.ids.length >= ROWS_KEPT + ROWS_TOO_MANY) {
      if (trimming.current === 0) trimming.current = requestAnimationFrame(trim)
      return
    }
    const { scrollTop, clientHeight, scrollHeight } = element
    const enough = clientHeight * SCREENS_LEFT
    if (scrollTop < enough && drawn.from === 0 && !window.atOldest) loadOlder(window).catch(() => {})
    const isDrawnToEnd = drawn.to === rows.length
    if (scrollHeight - scrollTop - clientHeight < enough && isDrawnToEnd && !window.atNewest) {
      loadNewer(window).catch(() => {})
    }
  }
}
