import './user-card.css'
import { Files } from 'lucide'
import type { ComponentChildren } from 'preact'
import { muteUser, unmuteUser } from '../../actions/own-account.ts'
import { fromJson } from '../../api/json.ts'
import { state, watch } from '../../chat.ts'
import { goToConversation, hrefOf, names, wholeAddress } from '../../navigation.ts'
import { printAddress } from '../../state/addresses.ts'
import { peersOf } from '../../state/conversation.ts'
import { mentionOfUser } from '../../state/mention-text.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { mayAdministerUser } from '../../state/people-permissions.ts'
import { type AccountData, accountAddress, FIELD } from '../../state/profile-choices.ts'
import { presenceOf } from '../../state/users.ts'
import type { User } from '../../state/wire.ts'
import { f } from '../../texts/frame.ts'
import { locale, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty } from '../../ui/empty.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ago, timeOfDay } from '../../ui/time.tsx'
import { announce, attempt } from '../announcement.tsx'
import { mentionInCompose } from '../compose/compose-state.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { close } from '../message/surface.ts'
import { now } from '../preferences.ts'
import { userName } from '../words.ts'
import { accountSites } from './account-sites.ts'
import { PresenceDot } from './presence-dot.tsx'

export { loadFrameTexts } from '../../texts/frame.ts'

/** The card of a user: who they are, and possible actions, beside where their name was clicked. */
interface UserCardProps {
  readonly userId: number
  readonly anchor: Element
  /** Whether it opened because the pointer rests there. */
  readonly onRest?: boolean
}

export function UserCard({ userId, anchor, onRest = false }: UserCardProps) {
  watch(`user ${userId}`)
  const user = state.users.get(userId)
  if (!user) return null
  return (
    <Popover
      anchor={anchor}
      class="card"
      role="dialog"
      label={user.full_name}
      leavesFocus={onRest}
      onClose={close}
    >
      <CardHead user={user}>
        <h2>
          <a href={`#user/${userId}`}>{user.full_name}</a>
        </h2>
      </CardHead>
      <Facts userId={userId} isCard />
    </Popover>
  )
}

/** The card in the column beside a conversation with the user. */
export function PersonBeside({ userId }: { readonly userId: number }) {
  watch(`user ${userId}`, 'muted users')
  const user = state.users.get(userId)
  if (!user || isMutedPerson(state, userId)) return null
  return (
    <section class="card-beside" aria-label={user.full_name}>
      <CardHead user={user}>
        <h2>
          <a href={`#user/${userId}`}>{user.full_name}</a>
        </h2>
      </CardHead>
      <Facts userId={userId} isCard isBeside />
    </section>
  )
}

/** The card as a view with an address, `#user/12`. */
export function UserView({ path: [id] }: { readonly path: readonly string[] }) {
  const userId = Number(id)
  watch(`user ${userId}`)
  const user = state.users.get(userId)
  if (!user) {
    return (
      <>
        <header class="view-head">
          <h1>{t.notThere.title}</h1>
        </header>
        <Empty title={t.notThere.title}>
          <p>{f.card.unknown}</p>
          <p>
            <a class="button" href="#inbox">
              {t.views.inbox}
            </a>
          </p>
        </Empty>
      </>
    )
  }
  return (
    <>
      <header class="view-head">
        <h1 class="one-line" dir="auto">
          {user.full_name}
        </h1>
      </header>
      <div class="user-view">
        <CardHead user={user} />
        <Facts userId={userId} />
      </div>
    </>
  )
}

function CardHead({ user, children }: { readonly user: User; readonly children?: ComponentChildren }) {
  return (
    <div class="card-head">
      <Avatar url={user.avatar_url} name={user.full_name} size={56} />
      <div>
        {children}
        <p class="small soft">
          {!user.is_active ? f.card.deactivated : user.is_bot ? t.people.bot : (t.roles[user.role] ?? '')}
        </p>
      </div>
    </div>
  )
}

interface FactsProps {
  readonly userId: number
  readonly isCard?: boolean
  /** Whether one is writing to them already. */
  readonly isBeside?: boolean
}

function Facts({ userId, isCard = false, isBeside = false }: FactsProps) {
  watch(`user ${userId}`, `status ${userId}`, `presence ${userId}`, 'profile fields', 'emoji', 'settings')
  const user = state.users.get(userId)
  if (!user) return null
  const {
    status_text,
    emoji_name = '',
    emoji_code = '',
    reaction_type = 'unicode_emoji',
  } = state.statuses.get(userId) ?? {}
  const seen = state.presences.get(userId)
  const lastSeen = Math.max(seen?.active_timestamp ?? 0, seen?.idle_timestamp ?? 0)
  const presence = presenceOf(state, userId, now.value)
  const act = (action: () => void) => () => {
    close()
    action()
  }
  return (
    <>
      {(status_text || emoji_code) && (
        <p class="card-status">
          {emoji_code && <EmojiGlyph emoji={{ emoji_name, emoji_code, reaction_type }} />}
          <span dir="auto">{status_text}</span>
        </p>
      )}
      <dl>
        {!user.is_bot && user.is_active && (
          <div>
            <dt class="hidden-text">{f.card.presence}</dt>
            <dd>
              <PresenceDot userId={userId} />{' '}
              {presence === 'offline' && lastSeen > 0
                ? t.people.lastSeen(ago(lastSeen))
                : t.presence[presence]}
            </dd>
          </div>
        )}
        {user.timezone && (
          <div>
            <dt class="hidden-text">{f.card.localTime}</dt>
            <dd class="soft">{f.card.itIs(timeIn(user.timezone))}</dd>
          </div>
        )}
        {user.delivery_email && (
          <div>
            <dt class="hidden-text">{t.auth.email}</dt>
            <dd>
              <a href={`mailto:${user.delivery_email}`}>{user.delivery_email}</a>
            </dd>
          </div>
        )}
        <ProfileFacts user={user} />
      </dl>
      <div
        class="card-actions"
        role="none"
        onClick={(event) => (event.target as Element).closest('a') && close()}
      >
        {user.is_active && !isBeside && (
          <MenuItem
            apart
            icon="direct"
            onClick={act(() => goToConversation({ kind: 'direct', peers: peersOf([userId], state.me) }))}
          >
            {userId === state.me ? f.card.noteToSelf : f.card.write}
          </MenuItem>
        )}
        {user.is_active && userId !== state.me && (
          <MenuItem apart icon="at" onClick={act(() => mentionInCompose(user.user_id, mentionOf(user)))}>
            {f.card.mention}
          </MenuItem>
        )}
        <MenuItem apart icon="byPerson" href={hrefOf([{ operator: 'sender', operand: userId }])}>
          {userId === state.me ? t.ownMenu.ownMessages : f.card.messages}
        </MenuItem>
        <MenuItem apart icon={Files} href={filesOf(userId)}>
          {f.card.viewFiles}
        </MenuItem>
        {userId === state.me && (
          <MenuItem apart icon="edit" href="#settings/profile">
            {f.editProfile}
          </MenuItem>
        )}
        {isCard && (
          <MenuItem apart icon="person" href={`#user/${userId}`}>
            {t.sidebar.profile}
          </MenuItem>
        )}
        <MenuItem apart icon="link" onClick={act(() => copy(profileLink(userId), t.message.linkCopied))}>
          {f.card.copyLink}
        </MenuItem>
        {user.delivery_email && (
          <MenuItem apart icon="copy" onClick={act(() => copy(user.delivery_email!, f.card.emailCopied))}>
            {f.card.copyEmail}
          </MenuItem>
        )}
        {userId !== state.me && !user.is_system_bot && <MuteItem user={user} />}
        {userId !== state.me && user.is_active && mayAdministerUser(state, user) && (
          <MenuItem
            apart
            icon="gear"
            href={`#organization/users/${user.is_bot ? 'bots' : 'active'}/${userId}`}
          >
            {f.card.manage}
          </MenuItem>
        )}
      </div>
    </>
  )
}

function filesOf(userId: number): string {
  return printAddress({ view: 'files', narrow: [{ operator: 'sender', operand: userId }] }, names)
}

function mentionOf(user: User): string {
  const isOnly =
    [...state.users.values()].filter(({ full_name }) => full_name === user.full_name).length === 1
  return mentionOfUser(user, { isOnly })
}

function profileLink(userId: number): string {
  return wholeAddress(`#user/${userId}`)
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  announce(done)
}

/** Mutes or unmutes a user; the toast offers an undo. */
function MuteItem({ user: { user_id: id, full_name: name } }: { readonly user: User }) {
  watch('muted users')
  const isMuted = isMutedPerson(state, id)
  const toggle = async () => {
    close()
    if (isMuted) {
      await unmuteUser(id)
      return
    }
    await muteUser(id)
    announce(f.card.mutedNow(name), () => unmuteUser(id))
  }
  return (
    <MenuItem apart icon={isMuted ? 'unmuted' : 'muted'} onClick={() => attempt(toggle())}>
      {isMuted ? f.card.unmute : f.card.mute}
    </MenuItem>
  )
}

/** The facts of a user's profile. */
function ProfileFacts({ user }: { readonly user: User }) {
  return (
    <>
      {state.profileFields.map(({ id, name, type, field_data }) => {
        const value = user.profile_data?.[id]?.value
        if (!value) return null
        return (
          <div key={id} class="card-fact">
            <dt>{name}</dt>
            <dd dir="auto">{shownValue(value, type, field_data)}</dd>
          </div>
        )
      })}
    </>
  )
}

function shownValue(value: string, type: number, data: string): ComponentChildren {
  switch (type) {
    case FIELD.choice:
      return fromJson<Record<string, { text: string } | undefined>>(data)[value]?.text ?? value
    case FIELD.date: {
      const day = new Date(`${value}T00:00:00Z`)
      if (Number.isNaN(day.getTime())) return value
      return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' }).format(day)
    }
    case FIELD.link:
      return linked(value, value)
    case FIELD.account:
      return linked(value, accountAddress(fromJson<AccountData>(data), accountSites(), value) ?? '')
    case FIELD.people:
      return fromJson<number[]>(value).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`#user/${id}`}>{userName(id)}</a>
        </span>
      ))
    default:
      return value
  }
}

function linked(text: string, address: string): ComponentChildren {
  if (!/^https?:/.test(address)) return text
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}

function timeIn(zone: string): string {
  try {
    return timeOfDay(now.value, zone)
  } catch {
    return ''
  }
}
