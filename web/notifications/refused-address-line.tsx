import './permission-line.css'
import { signal } from '@preact/signals'
import { saveSetting } from '../actions/own-account.ts'
import { state, watch } from '../chat.ts'
import { myself } from '../state/own-permissions.ts'
import { t } from '../texts/texts.ts'

/** The address to which mail is sent again, at its owner's request. */
const triedAgain = signal<string>()

/** Says that mail does not reach the user, until the address changes or the user asks for a retry. */
export function RefusedAddressLine() {
  watch('me')
  const refused = state.server.delivery_email_refused
  const own = myself(state).delivery_email
  if (!refused || refused.address !== own || triedAgain.value === own) return null
  const tryAgain = () => {
    saveSetting('email', own)
      .then(() => {
        triedAgain.value = own
      })
      .catch(() => {})
  }
  return (
    <section class="permission-line" aria-label={t.refusedAddress.label}>
      <span title={refused.reason}>{t.refusedAddress.says(own)}</span>
      <button type="button" class="button" onClick={tryAgain}>
        {t.refusedAddress.tryAgain}
      </button>
      <a class="button" href="#settings/account-and-privacy">
        {t.refusedAddress.change}
      </a>
    </section>
  )
}
