import { forgetOthers } from './actions/forget-kept.ts'
import type { takeArriving } from './navigation.ts'
import { startNotifications } from './notifications/notifications.ts'
import { followElsewhere } from './views/room/organizations-state.ts'

/** Starts what nobody sees at once, after the first snapshot: nothing is drawn later for its script. */
export function startRest(arriving: ReturnType<typeof takeArriving>): void {
  forgetOthers().catch(() => {})
  startNotifications()
  followElsewhere(arriving).catch(() => {})
}
