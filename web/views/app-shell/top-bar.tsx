import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { quiet } from '../../notifications/quiet.ts'
import { isQuiet } from '../../state/quiet.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { hasPeopleColumn } from '../people/people-column.tsx'
import { isHelpOpen, isNarrow, isPeopleShown, isSidebarOpen, now, togglePeople } from '../preferences.ts'
import { SearchBox } from '../search/search-box.tsx'
import { isConnectionLost } from './connection-line.tsx'

const OwnMenu = onDemand(async () => {
  const { OwnMenu: menu, loadFrameTexts } = await import('./own-menu.tsx')
  await loadFrameTexts()
  return menu
})

const OrganizationMenu = onDemand(async () => {
  const { OrganizationMenu: menu, loadFrameTexts } = await import('./organization-menu.tsx')
  await loadFrameTexts()
  return menu
})

export function TopBar() {
  watch('organization', 'settings', `user ${state.me}`)
  const me = state.users.get(state.me)
  const [anchor, setAnchor] = useState<Element>()
  const [organizationAnchor, setOrganizationAnchor] = useState<Element>()
  return (
    <header class={isConnectionLost() ? 'top-bar top-bar-lined' : 'top-bar'}>
      {isNarrow.value && (
        <IconButton
          icon="menu"
          label={t.sidebar.label}
          aria-expanded={isSidebarOpen.value}
          aria-controls="sidebar"
          onClick={() => {
            isSidebarOpen.value = !isSidebarOpen.value
          }}
        />
      )}
      <button
        type="button"
        class="top-bar-name"
        aria-haspopup="menu"
        aria-expanded={organizationAnchor !== undefined}
        onClick={(event) => setOrganizationAnchor(event.currentTarget)}
      >
        {state.organization.icon_url && (
          <Avatar url={state.organization.icon_url} name={state.organization.name} size={26} />
        )}
        <span class="one-line" dir="auto">
          {state.organization.name}
        </span>
        <Icon name="fold" />
      </button>
      {organizationAnchor && (
        <OrganizationMenu anchor={organizationAnchor} onClose={() => setOrganizationAnchor(undefined)} />
      )}
      <SearchBox />
      <div class="top-bar-end">
        {hasPeopleColumn() && (
          <IconButton
            icon="people"
            label={t.people.label}
            hint="g"
            aria-pressed={isPeopleShown()}
            onClick={togglePeople}
          />
        )}
        {!isNarrow.value && (
          <IconButton
            icon="keyboard"
            label={t.help.title}
            hint="?"
            onClick={() => {
              isHelpOpen.value = true
            }}
          />
        )}
        <button
          type="button"
          class="top-bar-me"
          aria-haspopup="menu"
          aria-expanded={anchor !== undefined}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <span class="hidden-text">{t.ownMenu.label(me?.full_name ?? '')}</span>
          <Avatar url={me?.avatar_url} name={me?.full_name ?? ''} size={28} />
          {isQuiet(quiet.value, new Date(now.value * 1_000)) && (
            <span class="top-bar-quiet" role="img" aria-label={t.ownMenu.quiet}>
              <Icon name="snooze" />
            </span>
          )}
        </button>
        {anchor && <OwnMenu anchor={anchor} onClose={() => setAnchor(undefined)} />}
      </div>
    </header>
  )
}
