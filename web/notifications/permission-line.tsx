import './permission-line.css'
import { signal } from '@preact/signals'
import { state, watch } from '../chat.ts'
import { t } from '../texts/texts.ts'

const DECLINED_KEY = 'notifications declined'

const isOpen = signal(
  'Notification' in window &&
    Notification.permission === 'default' &&
    localStorage.getItem(DECLINED_KEY) === null,
)

/** Asks once whether this computer may show notifications: browsers require a click for it. */
export function PermissionLine() {
  watch('settings')
  if (!isOpen.value || !state.settings.enable_desktop_notifications) return null
  const allow = () => {
    isOpen.value = false
    void Notification.requestPermission()
      .then(async () => (await import('./web-push.ts')).subscribeToPush())
      .catch(() => {})
  }
  const decline = () => {
    isOpen.value = false
    localStorage.setItem(DECLINED_KEY, '1')
  }
  return (
    <section class="permission-line" aria-label={t.notifications.label}>
      <span>{t.notifications.question}</span>
      <button type="button" class="button" onClick={allow}>
        {t.notifications.allow}
      </button>
      <button type="button" class="button" onClick={decline}>
        {t.notifications.notNow}
      </button>
    </section>
  )
}
