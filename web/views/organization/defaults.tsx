import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { Privacy } from '../settings/account.tsx'
import { DisplaySection } from '../settings/display.tsx'
import { NotificationsSection } from '../settings/notifications.tsx'
import { ShowsDefaults } from '../settings/shown-settings.ts'

/** The default settings of new accounts. */
export function DefaultsSection() {
  return (
    <ShowsDefaults.Provider value>
      <Part hint={s.organization.defaultsHint}>{null}</Part>
      <DisplaySection />
      <NotificationsSection />
      <Privacy />
    </ShowsDefaults.Provider>
  )
}
