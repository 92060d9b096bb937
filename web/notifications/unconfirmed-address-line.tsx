import './permission-line.css'
import { signal } from '@preact/signals'
import { saveSetting } from '../actions/own-account.ts'
import { state, watch } from '../chat.ts'
import { myself } from '../state/own-permissions.ts'
import { t } from '../texts/texts.ts'

/** The address to which the link was sent again. */
const sentTo = signal<string>()

/** Says that the user's address gets no mail before it is confirmed, and offers to resend the link. */
export function UnconfirmedAddressLine() {
  watch('me')
  const own = myself(state).delivery_email
  if (!state.server.delivery_email_unconfirmed || own === null) return null
  const sendAgain = () => {
    saveSetting('email', own)
      .then(() => {
        sentTo.value = own
      })
      .catch(() => {})
  }
  return (
    <section class="permission-line" aria-label={t.unconfirmedAddress.label}>
      <span>{t.unconfirmedAddress.says(own)}</span>
      {sentTo.value === own ? (
        <span role="status">{t.unconfirmedAddress.sent}</span>
      ) : (
        <button type="button" class="button" onClick={sendAgain}>
          {t.unconfirmedAddress.sendAgain}
        </button>
      )}
    </section>
  )
}
