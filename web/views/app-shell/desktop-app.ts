import { effect } from '@preact/signals'
import { endSession } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { go } from '../../navigation.ts'
import { badgeCount } from '../../state/unread.ts'
import { isHelpOpen } from '../preferences.ts'

/** The part of the bridge of Zulip's desktop app that is used here. */
interface ElectronBridge {
  send_event(name: 'total_unread_count' | 'realm_name' | 'realm_icon_url', value: number | string): unknown
  on_event(
    name: 'logout' | 'show-keyboard-shortcuts' | 'show-notification-settings',
    listener: () => void,
  ): void
}

function desktopApp(): ElectronBridge | undefined {
  const { electron_bridge: bridge } = window as { electron_bridge?: ElectronBridge | Element }
  // An element of this id has the same name.
  return bridge instanceof Element ? undefined : bridge
}

/** Reports unread messages, name and icon to the desktop app around the page, and does what its menus ask for. */
export function startDesktopApp(): void {
  const app = desktopApp()
  if (!app) return
  effect(() => {
    watch('unread', 'settings')
    app.send_event('total_unread_count', badgeCount(state))
  })
  effect(() => {
    watch('organization')
    const { name, icon_url } = state.organization
    app.send_event('realm_name', name)
    if (icon_url) app.send_event('realm_icon_url', icon_url)
  })
  app.on_event('logout', () => void endSession())
  app.on_event('show-keyboard-shortcuts', () => {
    isHelpOpen.value = true
  })
  app.on_event('show-notification-settings', () => go({ view: 'settings', path: ['notifications'] }))
}
