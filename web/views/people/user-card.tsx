import './people.css'
import { state, watch } from '../../chat.ts'
import { goToConversation, hrefOf } from '../../navigation.ts'
import { peersOf } from '../../state/conversation.ts'
import { presenceOf } from '../../state/users.ts'
import { locale, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ago } from '../../ui/time.tsx'
import { mentionInCompose } from '../compose/compose-state.ts'
import { close } from '../message/surfaces.tsx'
import { now } from '../preferences.ts'
import { PresenceDot } from './presence-dot.tsx'

/** Who somebody is, and what one can do with them. */
export function UserCard({ userId, anchor }: { readonly userId: number; readonly anchor: Element }) {
  watch(`user ${userId}`, `status ${userId}`, `presence ${userId}`)
  const user = state.users.get(userId)
  if (!user) return null
  const status = state.statuses.get(userId)
  const seen = state.presences.get(userId)
  const lastSeen = Math.max(seen?.active_timestamp ?? 0, seen?.idle_timestamp ?? 0)
  const isHere = userId === state.me || presenceOf(state, userId, now.value) !== 'offline'
  const act = (action: () => void) => () => {
    close()
    action()
  }
  return (
    <Popover anchor={anchor} class="card" role="dialog" label={user.full_name} onClose={close}>
      <div class="card-head">
        <Avatar url={user.avatar_url} name={user.full_name} size={56} />
        <div>
          <h2>{user.full_name}</h2>
          <p class="small soft">
            {!user.is_active ? t.people.deactivated : user.is_bot ? t.people.bot : (t.roles[user.role] ?? '')}
          </p>
        </div>
      </div>
      {status?.status_text && <p>{status.status_text}</p>}
      <dl>
        {!user.is_bot && user.is_active && (
          <div>
            <dt class="hidden-text">{t.people.presence}</dt>
            <dd>
              <PresenceDot userId={userId} />{' '}
              {isHere
                ? t.presence.active
                : lastSeen > 0
                  ? t.people.lastSeen(ago(lastSeen))
                  : t.presence.offline}
            </dd>
          </div>
        )}
        {user.timezone && (
          <div>
            <dt class="hidden-text">{t.people.localTime}</dt>
            <dd class="soft">{t.people.itIs(timeIn(user.timezone))}</dd>
          </div>
        )}
        {user.delivery_email && (
          <div>
            <dt class="hidden-text">{t.door.email}</dt>
            <dd>
              <a href={`mailto:${user.delivery_email}`}>{user.delivery_email}</a>
            </dd>
          </div>
        )}
      </dl>
      <div
        class="card-actions"
        role="none"
        onClick={(event) => (event.target as Element).closest('a') && close()}
      >
        {user.is_active && (
          <MenuItem
            apart
            icon="send"
            onClick={act(() => goToConversation({ kind: 'direct', peers: peersOf([userId], state.me) }))}
          >
            {userId === state.me ? t.people.noteToSelf : t.people.write}
          </MenuItem>
        )}
        {user.is_active && (
          <MenuItem apart icon="at" onClick={act(() => mentionInCompose(user))}>
            {t.people.mention}
          </MenuItem>
        )}
        <MenuItem apart icon="search" href={hrefOf([{ operator: 'sender', operand: userId }])}>
          {t.people.messages}
        </MenuItem>
      </div>
    </Popover>
  )
}

function timeIn(zone: string): string {
  try {
    return new Intl.DateTimeFormat(locale(), { timeZone: zone, hour: 'numeric', minute: '2-digit' }).format()
  } catch {
    return ''
  }
}
