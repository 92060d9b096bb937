import './permission-line.css'
import { signal } from '@preact/signals'
import { state, watch } from '../chat.ts'
import { t } from '../texts/texts.ts'

const DECLINED_KEY = 'notifications declined'

/** Whether this browser lets the page show notifications; undefined where there are none. */
export const permission = signal('Notification' in window ? Notification.permission : undefined)
const isOpen = signal(permission.value === 'default' && localStorage.getItem(DECLINED_KEY) === null)

/** Lets the browser ask for the permission. */
export function allow(): void {
  isOpen.value = false
  void Notification.requestPermission()
    .then(async (answer) => {
      permission.value = answer
      await (await import('./web-push.ts')).subscribeToPush()
    })
    .catch(() => {})
}

/** Asks once whether this computer may show notifications: browsers require a click for it. */
export function PermissionLine() {
  watch('settings')
  if (!isOpen.value || !state.settings.enable_desktop_notifications) return null
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
