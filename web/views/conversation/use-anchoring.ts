import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadAround } from '../../actions/message-windows.ts'
import { visit } from '../../navigation.ts'
import { narrowKey } from '../../state/narrow.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { timeInView } from './day-in-view.tsx'
import { keepPosition, keptPosition } from './kept-position.ts'
import type { Reading } from './reading.ts'
import type { Row } from './row.ts'
import { ScrollKeeper } from './scroll-keeper.ts'
import { rowElement, selectedId, shownList } from './selection.ts'
import { firstUnreadOf } from './unread-line.tsx'
import { useDrawnRows } from './use-drawn-rows.ts'
import { useMoreMessages } from './use-more-messages.ts'

/** Milliseconds for which a reader who has scrolled may go on. */
const SCROLLED_MS = 1_000

interface AnchoredList {
  readonly window: MessageWindow
  readonly rows: readonly Row[]
  readonly reading: Reading
  /** The message at which to open. */
  readonly near: number | undefined
  /** Whether that message is marked. */
  readonly isMarked: boolean
  /** The first unread message when the list was opened, and what notes it. */
  readonly unreadFrom: number | undefined
  readonly onUnreadFrom: (id: number) => void
  /** The visit for which messages have been fetched. */
  readonly tried: number
  readonly onFailure: () => void
}

interface Anchoring {
  readonly view: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLElement | null>
  readonly onScroll: () => void
  readonly shown: readonly Row[]
  readonly isFromStart: boolean
  readonly isToEnd: boolean
  /** Whether something is below the screen. */
  readonly isAboveEnd: boolean
  /** Id of the last message in view; 0 without one. */
  readonly lastVisibleId: () => number
  /** The message that the address names, if it is marked. */
  readonly target: number | undefined
  readonly firstTime: ReadonlySignal<number | undefined>
  readonly isScrolling: ReadonlySignal<boolean>
  readonly toEnd: () => void
}

/** Keeps a list where its reader is: it opens at a message, follows the end there, and goes where keys and buttons lead. */
export function useAnchoring(list: AnchoredList): Anchoring {
  const { window, rows, reading, near, unreadFrom } = list
  const key = narrowKey(window.narrow)
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLElement>(null)
  const keeper = useRef<ScrollKeeper>(null)
  const [isAboveEnd, setAboveEnd] = useState(false)
  const [target, setTarget] = useState<number>()
  const firstTime = useSignal<number>()
  const isScrolling = useSignal(false)
  const scrollTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The visit for which the list has been scrolled. */
  const shownVisit = useRef(-1)
  /** Whether the first or the newest of all messages is wanted, and being fetched. */
  const wants = useRef<'start' | 'end'>(undefined)

  const isStartThere = wants.current === 'start' && window.atOldest
  const goal =
    wants.current === 'end'
      ? undefined
      : isStartThere
        ? rows.find((row) => row.kind === 'message')?.id
        : (keptPosition(key)?.id ?? near ?? unreadFrom ?? firstUnreadOf(window))
  const opening = {
    row: goal === undefined ? -1 : rows.findIndex((row) => row.kind === 'message' && row.id === goal),
    isPending: shownVisit.current !== visit.value || isStartThere,
  }
  const { drawn, shown, redraw, noteDrawn } = useDrawnRows(rows, opening, window.isLoaded)
  const fetchMore = useMoreMessages({ window, rows, drawn, view, keeper })
  const isToEnd = drawn.to === rows.length

  const noteView = (scroll: ScrollKeeper) => {
    setAboveEnd(!scroll.isAtEnd || !window.atNewest)
    firstTime.value = timeInView(scroll)
  }

  /** Scrolls a list that has just come: to the reader's position, the message of the address, the first unread one, or the end. */
  const open = (scroll: ScrollKeeper) => {
    shownVisit.current = visit.value
    const kept = keptPosition(key)
    const opensAt = near ?? unreadFrom
    const row = opensAt === undefined ? null : rowElement(opensAt)
    const keptRow = kept && rowElement(kept.id)
    if (keptRow) scroll.toPosition(keptRow, kept.top)
    else if (row) scroll.toRow(row, near === undefined ? 0.2 : 0.35)
    else scroll.toEnd()
    selectedId.value = kept?.id ?? opensAt ?? window.ids.at(-1)
    setTarget(list.isMarked ? near : undefined)
    reading.look(scroll)
  }
  const showStart = (scroll: ScrollKeeper) => {
    wants.current = undefined
    const row = goal === undefined ? null : rowElement(goal)
    if (!row) return
    row.focus({ preventScroll: true })
    scroll.toRow(row, 0)
    keepPosition(scroll.reading && { key, ...scroll.reading })
  }

  useLayoutEffect(() => {
    if (!view.current || !content.current) return
    keeper.current ??= new ScrollKeeper(view.current, content.current)
    const scroll = keeper.current
    scroll.noteRows()
    scroll.followsEnd = window.atNewest && isToEnd
    scroll.unseen = reading.firstUnseen === undefined ? null : rowElement(reading.firstUnseen)
    const wanted = keptPosition(key)?.id ?? near
    // A deleted message is not waited for.
    const isThere = wanted === undefined || window.ids.includes(wanted) || list.tried === visit.value
    if (window.isLoaded && shownVisit.current !== visit.value && isThere) {
      const firstUnread = firstUnreadOf(window)
      if (unreadFrom === undefined && firstUnread !== undefined) {
        // The line is drawn first.
        list.onUnreadFrom(firstUnread)
        return
      }
      open(scroll)
    } else if (wants.current === 'end' && window.atNewest) {
      wants.current = undefined
      scroll.toEnd()
    } else if (isStartThere) showStart(scroll)
    else scroll.settle()
    if (drawn.isWhole) fetchMore()
    noteDrawn()
    noteView(scroll)
    reading.look(scroll)
  })
  useEffect(() => () => keeper.current?.stop(), [])

  const toStart = () => {
    wants.current = 'start'
    if (window.atOldest) redraw()
    else {
      loadAround(window, 'oldest').catch(() => {
        if (wants.current === 'start') wants.current = undefined
      })
    }
  }
  const toEnd = () => {
    wants.current = undefined
    if (window.atNewest && drawn.to === rows.length) keeper.current?.toEnd()
    else {
      wants.current = 'end'
      if (window.atNewest) redraw({ anew: true })
      else loadAround(window, 'newest').catch(list.onFailure)
    }
  }
  const moveBy = (by: number) => {
    if (by === Number.NEGATIVE_INFINITY && (!window.atOldest || drawn.from > 0)) {
      toStart()
      return
    }
    const ids = shown.flatMap((row) => (row.kind === 'message' ? [row.id] : []))
    const at = ids.indexOf(selectedId.value ?? -1)
    const from = at === -1 ? (by > 0 ? -1 : ids.length) : at
    const next = Math.max(0, Math.min(ids.length - 1, from + by))
    const row = ids[next] === undefined ? null : rowElement(ids[next])
    if (!row) return
    row.focus({ preventScroll: true })
    keeper.current?.show(row)
  }
  useEffect(() => {
    const own = {
      moveBy,
      scrollPages: (pages: number) =>
        keeper.current?.scrollBy(pages * (view.current?.clientHeight ?? 0) * 0.85),
      toEnd,
      focus: () =>
        selectedId.value === undefined
          ? undefined
          : rowElement(selectedId.value)?.focus({ preventScroll: true }),
    }
    shownList.current = own
    return () => {
      if (shownList.current === own) shownList.current = undefined
    }
  })

  const onScroll = () => {
    const scroll = keeper.current
    if (!scroll) return
    if (scroll.noteScroll()) {
      reading.isHeld = false
      isScrolling.value = true
      clearTimeout(scrollTimer.current)
      scrollTimer.current = setTimeout(() => {
        isScrolling.value = false
      }, SCROLLED_MS)
      // Keys act where the reader is, and not on a message that has left the screen.
      selectedId.value = scroll.nearestInView(selectedId.value) ?? selectedId.value
      keepPosition(scroll.reading && { key, ...scroll.reading })
    }
    noteView(scroll)
    fetchMore()
    reading.look(scroll)
  }
  return {
    ...{ view, content, onScroll, shown, isToEnd, isAboveEnd, target, firstTime, isScrolling, toEnd },
    isFromStart: drawn.from === 0,
    lastVisibleId: () => keeper.current?.lastVisibleId ?? 0,
  }
}
