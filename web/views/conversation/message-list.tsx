import './message-list.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import {
  channelOfNarrow,
  conversationOfNarrow,
  MENTIONS,
  type Narrow,
  type NarrowTerm,
  narrowKey,
} from '../../state/narrow.ts'
import { unreadIdsIn } from '../../state/unread.ts'
import { closeWindow, type MessageWindow, openWindow } from '../../state/windows.ts'
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
import { DayInView } from './day-in-view.tsx'
import { EmptyNarrow } from './empty-narrow.tsx'
import type { Row } from './row.ts'
import { rowsOf } from './rows.ts'
import { UnreadLeft } from './unread-left.tsx'
import { UnreadLine } from './unread-line.tsx'
import { useAnchoring } from './use-anchoring.ts'
import { useOpening } from './use-opening.ts'
import { useReading } from './use-reading.ts'

const RowActions = onDemand(() => import('../message/row-actions.tsx').then(({ RowActions: bar }) => bar))

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
  const reading = useReading(window)
  const opening = useOpening(window, near)
  const [unreadFrom, setUnreadFrom] = useState<number>()
  useEffect(() => () => closeWindow(state, narrow), [key])
  // Tab leads from the first message that has the focus to its actions.
  useEffect(RowActions.preload, [])
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
  const { view, content, ...list } = useAnchoring({
    ...{ window, rows, reading, near, isMarked, unreadFrom },
    onUnreadFrom: setUnreadFrom,
    tried: opening.tried,
    onFailure: opening.fail,
  })

  if (opening.hasFailed && !window.isLoaded && !isCutOff()) {
    return (
      <div class="messages-frame">
        <Empty title={t.list.failed}>
          <Button onClick={opening.load}>{t.tryAgain}</Button>
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
  const hold = (id: number) => {
    reading.hold()
    setUnreadFrom(id)
    return () => setUnreadFrom(unreadFrom)
  }
  const isConversation = conversationOfNarrow(narrow) !== undefined
  const waiting = list.isAboveEnd ? countBelow(window, list.lastVisibleId()) : 0
  return (
    <div class="messages-frame">
      <div
        ref={view}
        class={key === narrowKey(MENTIONS) ? 'messages messages-of-me' : 'messages'}
        onScroll={list.onScroll}
        tabIndex={-1}
      >
        <section ref={content} class="messages-inner" aria-label={t.list.label}>
          <DayInView of={list.firstTime} isShown={list.isScrolling} isAlone={isConversation} />
          {isConversation && window.atOldest && list.isFromStart && (
            <p class="messages-begin">{t.list.beginning}</p>
          )}
          {list.shown.map((row) => (
            <ListRow key={row.key} row={row} target={list.target} narrow={narrow} />
          ))}
          {window.atNewest && list.isToEnd && <UnreadLeft window={window} reading={reading} />}
          <RowActions narrow={narrow} onHold={hold} />
        </section>
      </div>
      {list.isAboveEnd && (
        <button type="button" class="jump-pill" onClick={list.toEnd}>
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
  readonly narrow: Narrow
}

function ListRow({ row, target, narrow }: ListRowProps) {
  switch (row.kind) {
    case 'day':
      return (
        <h2 class="day-line">
          <span>{dayName(row.seconds)}</span>
        </h2>
      )
    case 'unread':
      return <UnreadLine />
    case 'heading':
      return <ConversationHeading message={row.message} isWithin={channelOfNarrow(narrow) !== undefined} />
    case 'outgoing':
      return <OutgoingRow localId={row.localId} begins={row.begins} />
    case 'message':
      return <MessageRow id={row.id} begins={row.begins} isTarget={row.id === target} isFound={row.isFound} />
  }
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
