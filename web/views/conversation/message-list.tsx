import './message-list.css'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { loadAround, loadNewer, loadOlder, openingAnchor } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { visit } from '../../navigation.ts'
import {
  conversationOfNarrow,
  isSearch,
  type Narrow,
  type NarrowTerm,
  narrowKey,
} from '../../state/narrow.ts'
import { unreadIdsIn } from '../../state/unread.ts'
import { closeWindow, type MessageWindow, openWindow, trimWindow } from '../../state/windows.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { dayName } from '../../ui/time.tsx'
import { leaving } from '../message/deletions.ts'
import { MessageRow, OutgoingRow } from '../message/message-row.tsx'
import { today } from '../preferences.ts'
import { ConversationHeading } from './conversation-heading.tsx'
import { DayInView, timeInView } from './day-in-view.tsx'
import { DrawnRows } from './drawn-rows.ts'
import { EmptyNarrow } from './empty-narrow.tsx'
import { keepPosition, keptPosition } from './kept-position.ts'
import { Reading } from './reading.ts'
import { type Row, rowsOf } from './rows.ts'
import { ScrollKeeper } from './scroll-keeper.ts'
import { rowElement, selectedId, shownList } from './selection.ts'
import { UnreadLeft } from './unread-left.tsx'

const RowActions = onDemand(() => import('../message/row-actions.tsx').then(({ RowActions: bar }) => bar))

/** The number of screens of messages left at which more are fetched. */
const SCREENS_LEFT = 2
/** Rows that stay in the document around the reader's. */
const ROWS_KEPT = 300
/** Number of excess rows at which those far from the reader are removed. */
const ROWS_TOO_MANY = 60
/** Rows that are removed in a frame. */
const ROWS_TRIMMED = 20

interface MessageListProps {
  readonly narrow: Narrow
  /** The message at which to open. */
  readonly near: number | undefined
  /** Whether that message is marked, as the one that the address names. */
  readonly isMarked: boolean
  /** Whether all its messages are gone, to where the user cannot see them. */
  readonly isLost: boolean
}

/** The messages of a narrow. Each view has a list of its own, which stays when a move gives the view another narrow. */
export function MessageList({ narrow, near, isMarked, isLost }: MessageListProps) {
  const key = narrowKey(narrow)
  // A message that moves may get another heading.
  watch(`window ${key}`, 'outbox', 'muted users', 'message')
  today.value
  const window = useMemo(() => openWindow(state, narrow), [key])
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLElement>(null)
  const keeper = useRef<ScrollKeeper>(undefined)
  const reading = useMemo(() => new Reading(window), [])
  reading.window = window
  const [failure, setFailure] = useState(false)
  const [unreadFrom, setUnreadFrom] = useState<number>()
  const [below, setBelow] = useState(false)
  const [target, setTarget] = useState<number>()
  const firstTime = useSignal<number>()
  /** The visit for which messages have been fetched. */
  const [tried, setTried] = useState(-1)
  /** The visit for which the list has been scrolled. */
  const shownVisit = useRef(-1)
  /** Whether the newest messages are wanted, and being fetched. */
  const wantsEnd = useRef(false)
  /** Whether the first message of all is wanted, and being fetched. */
  const wantsStart = useRef(false)
  const isLive = connection.value.kind === 'live'
  const drawn = useRef(new DrawnRows()).current
  const [, drawMore] = useState(0)
  /** When the frame began whose rows are being added; 0: none are. */
  const stepBegan = useRef(0)
  const trimming = useRef(0)

  useEffect(() => () => closeWindow(state, narrow), [key])
  // Tab leads from the first message that has the focus to its actions.
  useEffect(RowActions.preload, [])

  const load = () => {
    setFailure(false)
    const anchor = keptPosition(key)?.id ?? near ?? openingAnchor(narrow)
    const forVisit = visit.value
    loadAround(window, anchor).then(
      () => setTried(forVisit),
      () => setFailure(true),
    )
  }
  // Before anything is painted, so that the request is under way meanwhile.
  useLayoutEffect(() => {
    const wanted = keptPosition(key)?.id ?? near
    const isThere =
      window.isLoaded &&
      (wanted === undefined
        ? window.atNewest || window.isStale || firstUnreadOf(window) !== undefined
        : window.ids.includes(wanted))
    if (!isThere) load()
  }, [key, near, visit.value])
  useEffect(() => {
    if (isLive && failure) load()
  }, [isLive])
  const rows = useMemo(
    () => rowsOf(narrow, window.ids, unreadFrom, window.atNewest),
    [
      window.ids,
      unreadFrom,
      window.atNewest,
      state.outbox.byLocalId.size,
      state.changes.version('message'),
      today.value,
      leaving.value,
    ],
  )

  // Muted people may have written the newest ones.
  const isAllMuted =
    window.isLoaded && window.ids.length > 0 && window.ids.length < ROWS_KEPT && rows.length === 0
  useEffect(() => {
    if (isAllMuted && !window.atOldest) loadOlder(window).catch(() => {})
  })

  const isStartThere = wantsStart.current && window.atOldest
  const goal = wantsEnd.current
    ? undefined
    : isStartThere
      ? rows.find((row) => row.kind === 'message')?.id
      : (keptPosition(key)?.id ?? near ?? unreadFrom ?? firstUnreadOf(window))
  const goalRow = goal === undefined ? -1 : rows.findIndex((row) => row.kind === 'message' && row.id === goal)
  if ((shownVisit.current !== visit.value || isStartThere) && !drawn.has(goalRow, rows.length)) drawn.reset()
  drawn.advance(rows, goalRow)
  const shown = rows.slice(drawn.from, drawn.to)
  useEffect(() => {
    if (!window.isLoaded || drawn.isWhole) return
    const frame = requestAnimationFrame(() => {
      stepBegan.current = performance.now()
      drawn.beginFrame()
      drawMore((step) => step + 1)
    })
    return () => cancelAnimationFrame(frame)
  })

  // Scrolls the drawn list: to the message of the address, the first unread one, or the end.
  useLayoutEffect(() => {
    if (!view.current || !content.current) return
    keeper.current ??= new ScrollKeeper(view.current, content.current)
    const scroll = keeper.current
    scroll.noteRows()
    scroll.followsEnd = window.atNewest && drawn.to === rows.length
    scroll.unseen = reading.firstUnseen === undefined ? null : rowElement(reading.firstUnseen)
    const kept = keptPosition(key)
    const wanted = kept?.id ?? near
    // A deleted message is not waited for.
    const isThere = wanted === undefined || window.ids.includes(wanted) || tried === visit.value
    if (window.isLoaded && shownVisit.current !== visit.value && isThere) {
      const firstUnread = firstUnreadOf(window)
      if (unreadFrom === undefined && firstUnread !== undefined) {
        // The line is drawn first.
        setUnreadFrom(firstUnread)
        return
      }
      shownVisit.current = visit.value
      const goal = near ?? unreadFrom
      const row = goal === undefined ? null : rowElement(goal)
      const keptRow = kept && rowElement(kept.id)
      if (keptRow) scroll.toPosition(keptRow, kept.top)
      else if (row) scroll.toRow(row, near === undefined ? 0.2 : 0.35)
      else scroll.toEnd()
      selectedId.value = kept?.id ?? goal ?? window.ids.at(-1)
      setTarget(isMarked ? near : undefined)
      reading.look(scroll)
    } else if (wantsEnd.current && window.atNewest) {
      wantsEnd.current = false
      scroll.toEnd()
    } else if (isStartThere) {
      wantsStart.current = false
      const row = goal === undefined ? null : rowElement(goal)
      if (row) {
        row.focus({ preventScroll: true })
        scroll.toRow(row, 0)
        keepPosition(scroll.reading && { key, ...scroll.reading })
      }
    } else scroll.settle()
    if (drawn.isWhole) fetchMore()
    if (stepBegan.current > 0) {
      drawn.noteCost(performance.now() - stepBegan.current)
      stepBegan.current = 0
    }
    setBelow(!scroll.isAtEnd || !window.atNewest)
    firstTime.value = timeInView(scroll)
    reading.look(scroll)
  })
  useEffect(() => {
    const stopReading = reading.start()
    return () => {
      keeper.current?.stop()
      stopReading()
      cancelAnimationFrame(trimming.current)
    }
  }, [])

  const fetchMore = () => {
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
  const onScroll = () => {
    const scroll = keeper.current
    if (!scroll) return
    const byReader = scroll.noteScroll()
    if (byReader) {
      reading.isHeld = false
      // Keys act where the reader is, and not on a message that has left the screen.
      selectedId.value = scroll.nearestInView(selectedId.value) ?? selectedId.value
      keepPosition(scroll.reading && { key, ...scroll.reading })
    }
    setBelow(!scroll.isAtEnd || !window.atNewest)
    firstTime.value = timeInView(scroll)
    fetchMore()
    reading.look(scroll)
  }
  const toStart = () => {
    wantsStart.current = true
    if (window.atOldest) drawMore((step) => step + 1)
    else {
      loadAround(window, 'oldest').catch(() => {
        wantsStart.current = false
      })
    }
  }
  const toEnd = () => {
    wantsStart.current = false
    if (window.atNewest && drawn.to === rows.length) keeper.current?.toEnd()
    else {
      wantsEnd.current = true
      if (window.atNewest) {
        drawn.reset()
        drawMore((step) => step + 1)
      } else loadAround(window, 'newest').catch(() => setFailure(true))
    }
  }

  useEffect(() => {
    const list = {
      moveBy: (by: number) => {
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
      },
      scrollPages: (pages: number) =>
        keeper.current?.scrollBy(pages * (view.current?.clientHeight ?? 0) * 0.85),
      toEnd,
      focus: () =>
        selectedId.value === undefined
          ? undefined
          : rowElement(selectedId.value)?.focus({ preventScroll: true }),
    }
    shownList.current = list
    return () => {
      if (shownList.current === list) shownList.current = undefined
    }
  })

  if (failure && !window.isLoaded) {
    return (
      <div class="messages-frame">
        <Empty title={t.list.failed}>
          <Button onClick={load}>{t.tryAgain}</Button>
        </Empty>
      </div>
    )
  }
  if (!window.isLoaded) {
    return (
      <div class="messages-frame">
        {isCutOff() ? <NotHere narrow={narrow} /> : <Loading label={t.loading} />}
      </div>
    )
  }
  if (rows.length === 0) {
    return (
      <div class="messages-frame">
        <EmptyNarrow narrow={narrow} isLost={isLost} />
      </div>
    )
  }
  const isConversation = conversationOfNarrow(narrow) !== undefined
  const waiting = below ? countBelow(window, keeper.current?.lastVisibleId ?? 0) : 0
  return (
    <div class="messages-frame">
      <div ref={view} class="messages" onScroll={onScroll} tabIndex={-1}>
        <section ref={content} class="messages-inner" aria-label={t.list.label}>
          <DayInView of={firstTime} isAlone={isConversation} />
          {isConversation && window.atOldest && drawn.from === 0 && (
            <p class="messages-begin">{t.list.beginning}</p>
          )}
          {shown.map((row) => (
            <ListRow key={row.key} row={row} target={target} window={window} />
          ))}
          {window.atNewest && drawn.to === rows.length && <UnreadLeft window={window} reading={reading} />}
          <RowActions narrow={narrow} onHold={() => reading.hold()} />
        </section>
      </div>
      {below && (
        <button type="button" class="jump-pill" onClick={toEnd}>
          <Icon name="arrowDown" />
          {waiting > 0 ? t.list.newBelow(waiting) : t.list.toEnd}
        </button>
      )}
    </div>
  )
}

/** A list whose messages cannot come now: those that were written meanwhile are there all the same. */
function NotHere({ narrow }: { readonly narrow: Narrow }) {
  const written = rowsOf(narrow, [], undefined, true)
  if (written.length === 0) return <Empty title={t.list.failed} />
  return (
    <div class="messages">
      <section class="messages-inner" aria-label={t.list.label}>
        <p class="messages-begin">{t.list.failed}</p>
        {written.map((row) =>
          row.kind === 'outgoing' ? (
            <OutgoingRow key={row.key} localId={row.localId} begins={row.begins} />
          ) : null,
        )}
      </section>
    </div>
  )
}

/** Whether nothing comes before the connection is back, as the line on top says. */
function isCutOff(): boolean {
  return connection.value.kind === 'offline' || connection.value.kind === 'waiting'
}

interface ListRowProps {
  readonly row: Row
  readonly target: number | undefined
  readonly window: MessageWindow
}

function ListRow({ row, target, window }: ListRowProps) {
  switch (row.kind) {
    case 'day':
      return (
        <h2 class="day-line">
          <span>{dayName(row.seconds)}</span>
        </h2>
      )
    case 'unread':
      return <UnreadLine window={window} />
    case 'heading':
      return <ConversationHeading message={row.message} />
    case 'outgoing':
      return <OutgoingRow localId={row.localId} begins={row.begins} />
    case 'message':
      return <MessageRow id={row.id} begins={row.begins} isTarget={row.id === target} isFound={row.isFound} />
  }
}

/** Stands above the first message that was unread when the list was opened; fades when all of them are read. */
function UnreadLine({ window }: { readonly window: MessageWindow }) {
  watch('unread')
  const isRead = useRef(false)
  isRead.current ||= firstUnreadOf(window) === undefined
  return (
    <p class={isRead.current ? 'unread-line unread-line-read' : 'unread-line'}>
      <span>{t.list.newFromHere}</span>
    </p>
  )
}

/**
 * Returns the first unread message of a window; undefined in a search, whose hits are shown from the newest.
 */
function firstUnreadOf({ ids, narrow }: MessageWindow): number | undefined {
  return isSearch(narrow) ? undefined : ids.find((id) => state.unread.byId.has(id))
}

/** Counts the unread messages below the screen, loaded or not. */
function countBelow({ ids, narrow }: MessageWindow, lastVisible: number): number {
  const isWhole = narrow.length === 0 || narrow.every(isPlace)
  const unread = isWhole ? unreadIdsIn(state, narrow) : ids.filter((id) => state.unread.byId.has(id))
  return unread.filter((id) => id > lastVisible).length
}

function isPlace({ operator, negated }: NarrowTerm): boolean {
  return !negated && (operator === 'channel' || operator === 'topic' || operator === 'dm')
}
