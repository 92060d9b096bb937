import { useState } from 'preact/hooks'
import { changeSettings } from '../../actions/personal.ts'
import { endSession } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { maySeeInvitations } from '../../state/permissions.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { attempt } from '../announcement.tsx'
import { hasPeopleColumn } from '../people/people-column.tsx'
import {
  isHelpOpen,
  isNarrow,
  isPeopleColumnShown,
  isPeopleOpen,
  isSidebarOpen,
  isWide,
  togglePeople,
} from '../preferences.ts'
import { SearchBox } from '../search/search-box.tsx'

export function TopBar() {
  watch('organization', 'settings', `user ${state.me}`)
  const me = state.users.get(state.me)
  const [anchor, setAnchor] = useState<Element>()
  return (
    <header class="top-bar">
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
      <a class="top-bar-name" href="#inbox">
        {state.organization.icon_url && (
          <Avatar url={state.organization.icon_url} name={state.organization.name} size={26} />
        )}
        <span class="one-line">{state.organization.name}</span>
      </a>
      <SearchBox />
      <div class="top-bar-end">
        {hasPeopleColumn() && (
          <IconButton
            icon="people"
            label={t.people.label}
            hint="g"
            aria-pressed={isWide.value ? isPeopleColumnShown.value : isPeopleOpen.value}
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
        </button>
        {anchor && <OwnMenu anchor={anchor} onClose={() => setAnchor(undefined)} />}
      </div>
    </header>
  )
}

const SCHEMES = [1, 3, 2] as const

function OwnMenu({ anchor, onClose }: { readonly anchor: Element; readonly onClose: () => void }) {
  watch('settings')
  const me = state.users.get(state.me)!
  return (
    <Menu anchor={anchor} align="end" label={t.ownMenu.label(me.full_name)} onClose={onClose}>
      <p class="menu-note">{me.full_name}</p>
      <MenuItem icon="byPerson" href={hrefOf([{ operator: 'sender', operand: state.me }])}>
        {t.ownMenu.ownMessages}
      </MenuItem>
      <MenuItem icon="gear" href="#settings">
        {t.views.settings}
      </MenuItem>
      {maySeeInvitations(state) && (
        <MenuItem icon="invite" href="#organization/invitations">
          {t.invite}
        </MenuItem>
      )}
      <MenuItem
        icon="keyboard"
        hint="?"
        onClick={() => {
          isHelpOpen.value = true
        }}
      >
        {t.help.title}
      </MenuItem>
      <MenuLine />
      {SCHEMES.map((scheme) => (
        <MenuItem
          key={scheme}
          icon={scheme === 2 ? 'moon' : scheme === 3 ? 'sun' : 'system'}
          checked={state.settings.color_scheme === scheme}
          stays
          onClick={() => attempt(changeSettings({ color_scheme: scheme }))}
        >
          {t.schemes[scheme]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="logOut" onClick={endSession}>
        {t.ownMenu.logOut}
      </MenuItem>
    </Menu>
  )
}
