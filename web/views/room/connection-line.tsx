import { shownSince } from '../../actions/offline.ts'
import { connection, retryNow } from '../../actions/session.ts'
import { locale, t } from '../../texts/texts.ts'

/** A thin line while the page is not up to date. */
export function ConnectionLine() {
  const { kind } = connection.value
  if (kind === 'live' || kind === 'session ended') return <div class="connection" role="status" />
  const text =
    shownSince.value !== undefined && kind !== 'stopped'
      ? t.connection.kept(
          new Date(shownSince.value).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' }),
        )
      : kind === 'offline'
        ? t.connection.offline
        : kind === 'stopped'
          ? t.connection.stopped
          : t.connection.connecting
  return (
    <div class="connection connection-lost" role="status">
      {text}
      {kind === 'waiting' && (
        <button type="button" onClick={retryNow}>
          {t.tryAgain}
        </button>
      )}
    </div>
  )
}
