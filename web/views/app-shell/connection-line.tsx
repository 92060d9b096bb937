import { shownSince } from '../../actions/offline.ts'
import { connection, retryNow } from '../../actions/session.ts'
import { t } from '../../texts/texts.ts'
import { dateAndTime } from '../../ui/time.tsx'

/** Whether the page is not up to date. */
export function isConnectionLost(): boolean {
  const { kind } = connection.value
  return kind !== 'live' && kind !== 'session ended'
}

/** Milliseconds of a pause of which people read why: a server that is being deployed is back before they could. */
const LONG_MS = 60_000

/** A thin line while the page is not up to date. */
export function ConnectionLine() {
  if (!isConnectionLost()) return <div class="connection" role="status" />
  const { kind, said, until = 0 } = connection.value
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
      {until > Date.now() + LONG_MS ? said : text}
      {kind === 'waiting' && (
        <button type="button" onClick={retryNow}>
          {t.tryAgain}
        </button>
      )}
    </div>
  )
}
