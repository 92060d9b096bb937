import { shownSince } from '../../actions/offline.ts'
import { connection, retryNow } from '../../actions/session.ts'
import { t } from '../../texts/texts.ts'
import { dateAndTime } from '../../ui/time.tsx'

/** Whether the page is not up to date. */
export function isConnectionLost(): boolean {
  const { kind } = connection.value
  return kind !== 'live' && kind !== 'session ended'
}

/** A thin line while the page is not up to date. */
export function ConnectionLine() {
  if (!isConnectionLost()) return <div class="connection" role="status" />
  const { kind, said } = connection.value
  const text =
    shownSince.value !== undefined && kind !== 'stopped'
      ? `${navigator.onLine ? '' : `${t.noConnection} `}${t.connection.kept(dateAndTime(shownSince.value / 1_000))}`
      : kind === 'offline'
        ? t.connection.offline
        : kind === 'stopped'
          ? t.connection.stopped
          : t.connection.connecting
  return (
    <div class="connection connection-lost" role="status">
      {said ?? text}
      {kind === 'waiting' && (
        <button type="button" onClick={retryNow}>
          {t.tryAgain}
        </button>
      )}
    </div>
  )
}
