import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { loadAround, openingAnchor } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { visit } from '../../navigation.ts'
import { narrowKey } from '../../state/narrow.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { keptPosition } from './kept-position.ts'
import { firstUnreadOf } from './unread-line.tsx'

interface Opened {
  readonly hasFailed: boolean
  /** The visit for which messages have been fetched; -1: none so far. */
  readonly tried: number
  readonly load: () => void
  readonly fail: () => void
}

/** Fetches the messages at which a list opens: those around the reader's position, the message of the address or the first unread one. */
export function useOpening(window: MessageWindow, near: number | undefined): Opened {
  const key = narrowKey(window.narrow)
  const [hasFailed, setFailed] = useState(false)
  const [tried, setTried] = useState(-1)
  const isLive = connection.value.kind === 'live'
  const load = () => {
    setFailed(false)
    const anchor = keptPosition(key)?.id ?? near ?? openingAnchor(window.narrow)
    const forVisit = visit.value
    loadAround(window, anchor).then(
      () => setTried(forVisit),
      () => setFailed(true),
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
    if (isLive && hasFailed) load()
  }, [isLive])
  return { hasFailed, tried, load, fail: () => setFailed(true) }
}
