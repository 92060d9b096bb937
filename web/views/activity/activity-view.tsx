import '../inbox/inbox.css'
import './activity.css'
import { useEffect, useState } from 'preact/hooks'
import { fillWindow, loadOlder } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import {
  ACTIVITIES,
  type Activity,
  type ActivityItem,
  activityNarrow,
  activityOf,
} from '../../state/activity.ts'
import { narrowKey } from '../../state/narrow.ts'
import { closeWindow, type MessageWindow, openWindow } from '../../state/windows.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { FilterChips, useStoredFilters } from '../../ui/filter-chips.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { useRowKeys } from '../inbox/row-keys.ts'
import { ActivityRow } from './activity-row.tsx'

export { loadReadingTexts } from '../../texts/reading.ts'

/** Messages of each kind that are fetched first. */
const FIRST = 50

type Windows = readonly (readonly [Activity, MessageWindow])[]

/** Mentions, reactions and replies to the user's messages, and news in followed topics, newest first. */
export function ActivityView() {
  watch('user', 'channel', 'muted users', 'unread', 'topic policy')
  const narrows = ACTIVITIES.map((kind) => activityNarrow(state, kind))
  watch(...narrows.map((narrow) => `window ${narrowKey(narrow)}` as const))
  const [windows, setWindows] = useState<Windows>([])
  const [failed, setFailed] = useState(false)
  const [chosen, choose] = useStoredFilters('activity filter')
  const load = () => {
    setFailed(false)
    const opened = ACTIVITIES.map((kind) => [kind, openWindow(state, activityNarrow(state, kind))] as const)
    setWindows(opened)
    const fetched = opened.map(([, window]) =>
      fillWindow(window, { anchor: 'newest', num_before: FIRST, num_after: 0 }),
    )
    Promise.all(fetched).catch(() => setFailed(true))
  }
  useEffect(() => {
    load()
    return () => {
      for (const narrow of narrows) closeWindow(state, narrow)
    }
  }, [])
  const isLive = connection.value.kind === 'live'
  useEffect(() => {
    if (isLive && failed) load()
  }, [isLive])
  const kind = ACTIVITIES.find((one) => chosen.has(one))
  const shown = kind === undefined ? windows : windows.filter(([one]) => one === kind)
  const isReady = shown.length > 0 && shown.every(([, window]) => window.isLoaded)
  const items = isReady ? activityOf(state, shown) : []
  const more = shown.filter(([, window]) => !window.atOldest)
  const rows = useRowKeys('activity')
  return (
    <>
      <header class="view-head">
        <Icon name="at" />
        <h1 class="one-line">{t.views.activity}</h1>
      </header>
      <div ref={rows} class="view-scroll">
        <div class="view-inner inbox activity">
          <FilterChips
            label={r.recent.filters}
            chips={[undefined, ...ACTIVITIES].map((one) => ({
              key: one ?? 'all',
              name: r.activity.kinds[one ?? 'all'],
              isOn: one === kind,
              onClick: () => choose(one === undefined ? [] : [one]),
            }))}
          />
          {failed && !isReady ? (
            <Empty title={t.list.failed}>
              <Button onClick={load}>{t.tryAgain}</Button>
            </Empty>
          ) : !isReady ? (
            <Loading label={t.loading} />
          ) : items.length === 0 && more.length === 0 ? (
            <Empty icon="at" title={t.nothing.here}>
              <p>{r.activity.hint}</p>
            </Empty>
          ) : (
            <ul class="recent">
              {items.map((item) => (
                <ActivityRow key={keyOf(item)} item={item} />
              ))}
            </ul>
          )}
          {isReady && more.length > 0 && (
            <p class="inbox-more">
              <Button onClick={() => attempt(loadBefore(more))}>{r.activity.older}</Button>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

function keyOf({ kind, message: { id } }: ActivityItem): string {
  return `${kind} ${id}`
}

/** Fetches what is older, first of the kinds that reach back least: what the others have is not shown before. */
async function loadBefore(windows: Windows): Promise<void> {
  const newestEnd = Math.max(...windows.map(([, { ids }]) => ids[0] ?? 0))
  const behind = windows.filter(([, { ids }]) => (ids[0] ?? 0) === newestEnd)
  await Promise.all(behind.map(([, window]) => loadOlder(window)))
}
