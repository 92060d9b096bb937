import '../../styles/print.css'
import '../../styles/system-colors.css'
import { forgetOthers } from '../../actions/forget-kept.ts'
import { startKeeping } from '../../actions/keep-state.ts'
import { startPings } from '../../actions/presence.ts'
import { state } from '../../chat.ts'
import { startNotifications } from '../../notifications/notifications.ts'
import { takeShared } from '../compose/shared-text.ts'
import { followElsewhere } from './organizations-state.ts'

/** Starts what nobody sees at once, after the first snapshot: nothing is drawn later for its script. `arriving`: navigation.ts. */
export function startRest(arriving: string): void {
  forgetOthers().catch(() => {})
  startPings()
  startKeeping()
  startNotifications()
  takeShared()
  followElsewhere(arriving).catch(() => {})
  if (state.organization.copy_of)
    import('./copy-banner.tsx').then(({ showCopyBanner }) => showCopyBanner()).catch(() => {})
}
