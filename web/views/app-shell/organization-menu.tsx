import { useEffect } from 'preact/hooks'
import { endSession } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import { isAdministrator } from '../../state/own-permissions.ts'
import { maySeeInvitations } from '../../state/people-permissions.ts'
import { titleCount } from '../../state/unread.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Count } from '../../ui/empty.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { attempt } from '../announcement.tsx'
import { ownDialog } from '../preferences.ts'
import { countElsewhere, otherOrganizations, unreadElsewhere } from './organizations-state.ts'

export { loadFrameTexts } from '../../texts/frame.ts'

/** The menu of the organization: its name, actions, and links to others. */
export function OrganizationMenu({
  anchor,
  onClose,
}: {
  readonly anchor: Element
  readonly onClose: () => void
}) {
  watch('organization', 'unread', 'me', 'settings')
  const { name, icon_url } = state.organization
  const count = titleCount(state)
  useEffect(() => {
    countElsewhere().catch(() => {})
  }, [])
  return (
    <Menu anchor={anchor} label={name} onClose={onClose}>
      <p class="menu-note organization-note">
        {icon_url && <Avatar url={icon_url} name={name} size={32} />}
        <span>
          <strong class="one-line">{name}</strong>
          <span class="one-line">{location.host}</span>
        </span>
      </p>
      <MenuLine />
      {maySeeInvitations(state) && (
        <MenuItem icon="invite" href="#organization/invitations">
          {t.invite}
        </MenuItem>
      )}
      {(mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')) && (
        <MenuItem icon="plus" href="#channels/new">
          {t.channels.create}
        </MenuItem>
      )}
      <MenuItem icon="people" href="#people">
        {t.views.people}
      </MenuItem>
      <MenuItem
        icon="gear"
        href={isAdministrator(state) ? '#organization/organization-profile' : '#settings'}
      >
        {isAdministrator(state) ? f.organizations.settings : t.views.settings}
      </MenuItem>
      <MenuLine />
      <p class="menu-note">{f.organizations.title}</p>
      <MenuItem href="#inbox" current end={<Count count={count} strong label={t.unread(count)} />}>
        {name}
      </MenuItem>
      {otherOrganizations.value.map(({ url, name: other }) => {
        const unread = unreadElsewhere.value.get(url) ?? 0
        return (
          <MenuItem key={url} href={url} end={<Count count={unread} strong label={t.unread(unread)} />}>
            {other}
          </MenuItem>
        )
      })}
      <MenuItem
        icon="plus"
        onClick={() => {
          // A menu returns the focus when it closes, so it opens a surface after that.
          setTimeout(() => {
            ownDialog.value = 'organizations'
          })
        }}
      >
        {f.organizations.manage}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="logOut" onClick={() => attempt(endSession())}>
        {t.ownMenu.logOut}
      </MenuItem>
    </Menu>
  )
}
