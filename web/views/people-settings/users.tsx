import { useState } from 'preact/hooks'
import { reactivateUser } from '../../actions/accounts.ts'
import { loadUsersWithSecondFactors } from '../../actions/second-factors.ts'
import { state, watch } from '../../chat.ts'
import { isAdministrator } from '../../state/own-permissions.ts'
import { canBeReactivated, mayAdministerUser, maySeeInvitations } from '../../state/people-permissions.ts'
import type { User } from '../../state/wire.ts'
import { isUserNamed } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Part, type SectionProps } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf, useFetched } from '../settings/fetched.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { CreateAccount } from './create-account.tsx'
import { EditBotAccount } from './edit-bot-account.tsx'
import { EditUser } from './edit-user.tsx'

const WHICH = ['active', 'deactivated', 'bots'] as const
/** Number of rows; a filter finds the others. */
const SHOWN = 200

/** The view `#organization/users/active`: everybody, with their roles and when they were last here. */
export function UsersSection({ path }: SectionProps) {
  watch('user', 'presence', 'me')
  const [words, setWords] = useState('')
  const [role, setRole] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const mayKnow = isAdministrator(state)
  const { value: secured, reload } = useFetched(
    async () => (mayKnow ? loadUsersWithSecondFactors() : undefined),
    [mayKnow],
  )
  const which = WHICH.find((one) => one === path[0]) ?? 'active'
  const all = [...state.users.values()].filter((user) => !user.is_system_bot)
  const found = all
    .filter((user) => kindOf(user) === which)
    .filter((user) => role === '' || user.role === Number(role))
    .filter((user) => isUserNamed(user, words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  const shown = found.slice(0, SHOWN)
  const canBeChosen = (user: User) =>
    mayKnow && which === 'active' && user.user_id !== state.me && mayAdministerUser(state, user)
  // The address may name a user to manage.
  const managed = state.users.get(Number(path[1]))
  const choosable = shown.filter(canBeChosen)
  // The user may have been removed or filtered out since.
  const chosenHere = choosable.filter(({ user_id }) => chosen.has(user_id))
  const choose = (userIds: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of userIds) isChosen ? next.add(id) : next.delete(id)
    setChosen(next)
  }
  return (
    <>
      <Part>
        <nav class="settings-tabs" aria-label={s.people.which}>
          {WHICH.map((one) => (
            <a
              key={one}
              href={`#organization/users/${one}`}
              aria-current={one === which ? 'page' : undefined}
            >
              {s.people.lists[one]}{' '}
              <span class="soft">{all.filter((user) => kindOf(user) === one).length}</span>
            </a>
          ))}
        </nav>
        <div class="settings-filter">
          <input
            class="field"
            type="search"
            aria-label={t.people.filter}
            placeholder={t.people.filter}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <select
            class="field"
            aria-label={s.people.role}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value)}
          >
            <option value="">{s.people.allRoles}</option>
            {Object.entries(t.roles).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          {maySeeInvitations(state) && (
            <a class="button" href="#organization/invitations">
              {t.invite}
            </a>
          )}
        </div>
        {found.length === 0 && <p class="setting-nothing">{t.people.nobody}</p>}
        {choosable.length > 0 && (
          <div class="people-bulk">
            <label class="check">
              <input
                type="checkbox"
                checked={chosenHere.length === choosable.length}
                indeterminate={chosenHere.length > 0 && chosenHere.length < choosable.length}
                onChange={(event) =>
                  choose(
                    choosable.map(({ user_id }) => user_id),
                    event.currentTarget.checked,
                  )
                }
              />
              {chosenHere.length === 0 ? s.bulk.all : s.bulk.chosen(chosenHere.length)}
            </label>
            {chosenHere.length > 0 && <BulkActions users={chosenHere} onDone={() => setChosen(new Set())} />}
          </div>
        )}
        <ul class="items">
          {shown.map((user) => (
            <UserItem
              key={user.user_id}
              userId={user.user_id}
              isSecured={secured?.has(user.user_id) === true}
              isChosen={canBeChosen(user) ? chosen.has(user.user_id) : undefined}
              isAmongChoices={choosable.length > 0}
              onChoose={(isChosen) => choose([user.user_id], isChosen)}
              onEdited={reload}
            />
          ))}
        </ul>
        {found.length > SHOWN && (
          <p class="setting-nothing">{s.channels.moreByFilter(found.length - SHOWN)}</p>
        )}
      </Part>
      {mayKnow && which === 'active' && <CreateAccount />}
      {managed && managed.user_id !== state.me && mayAdministerUser(state, managed) && (
        <EditAccount
          user={managed}
          onClose={() => {
            location.hash = `#organization/users/${which}`
          }}
        />
      )}
    </>
  )
}

function kindOf({ is_bot, is_active }: User): (typeof WHICH)[number] {
  if (!is_active) return 'deactivated'
  return is_bot ? 'bots' : 'active'
}

function lastSeen(userId: number): string {
  const presence = state.presences.get(userId)
  const seconds = Math.max(presence?.active_timestamp ?? 0, presence?.idle_timestamp ?? 0)
  return seconds === 0 ? '' : t.people.lastSeen(ago(seconds))
}

interface UserItemProps {
  readonly userId: number
  /** Whether the user is known to have a second factor. */
  readonly isSecured: boolean
  /** Undefined if the user cannot be chosen. */
  readonly isChosen: boolean | undefined
  /** Whether others in the list can be chosen. */
  readonly isAmongChoices: boolean
  readonly onChoose: (isChosen: boolean) => void
  readonly onEdited: () => void
}

function UserItem({ userId, isSecured, isChosen, isAmongChoices, onChoose, onEdited }: UserItemProps) {
  watch(`user ${userId}`, `presence ${userId}`, 'me')
  const [isOpen, setOpen] = useState(false)
  const user = state.users.get(userId)
  if (!user) return null
  const owner = user.bot_owner_id === null ? undefined : state.users.get(user.bot_owner_id)
  const about = [
    user.is_bot ? s.people.botOf(owner?.full_name ?? t.unknownPerson) : t.roles[user.role],
    user.delivery_email,
    lastSeen(userId),
    isSecured && s.people.twoStep,
  ].filter(Boolean)
  return (
    <li class="item">
      {isChosen !== undefined && (
        <input
          type="checkbox"
          aria-label={s.bulk.choose(user.full_name)}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      )}
      {isChosen === undefined && isAmongChoices && <span class="item-unchosen" />}
      <Avatar url={user.avatar_url} name={user.full_name} size={32} />
      <span class="item-main">
        {user.full_name}
        {userId === state.me && <span class="soft"> {t.you}</span>}
        <span class="small soft">{about.join(' · ')}</span>
      </span>
      {mayAdministerUser(state, user) && userId !== state.me && (
        <span class="item-end">
          {user.is_active ? (
            <IconButton icon="edit" label={s.people.edit(user.full_name)} onClick={() => setOpen(true)} />
          ) : (
            canBeReactivated(user) && (
              <ActButton
                label={`${s.reactivate}: ${user.full_name}`}
                onAct={() =>
                  refusalOf(reactivateUser(userId).then(() => announce(s.people.reactivated(user.full_name))))
                }
              >
                {s.reactivate}
              </ActButton>
            )
          )}
        </span>
      )}
      {isOpen && (
        <EditAccount
          user={user}
          onClose={() => {
            setOpen(false)
            onEdited()
          }}
        />
      )}
    </li>
  )
}

function EditAccount({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  return user.is_bot ? (
    <EditBotAccount botId={user.user_id} onClose={onClose} />
  ) : (
    <EditUser userId={user.user_id} onClose={onClose} />
  )
}
