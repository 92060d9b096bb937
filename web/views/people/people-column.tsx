import './people.css'
import { useEffect, useState } from 'preact/hooks'
import { loadSubscribers } from '../../actions/personal.ts'
import { pacedSlices, state, watch, watchPaced } from '../../chat.ts'
import { address } from '../../navigation.ts'
import { channelOfNarrow } from '../../state/narrow.ts'
import { presenceOf } from '../../state/users.ts'
import type { User } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { emojiFromCode } from '../message/enhance.ts'
import { openUserCard } from '../message/surfaces.tsx'
import { now } from '../preferences.ts'
import { PresenceDot } from './presence-dot.tsx'

/** In a large organization somebody comes or goes at any moment. */
const PEOPLE = pacedSlices(['user', 'presence', 'status', 'muted users'], 1_000)

/** More than anybody looks through; the box above finds the others. */
const SHOWN = 200

/** Who is here: in this channel first, then everybody else. */
export function PeopleColumn() {
  watchPaced(PEOPLE)
  const [filter, setFilter] = useState('')
  const shown = address.value
  const channelId = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  if (channelId !== undefined) watch(`channel ${channelId}`)
  useEffect(() => {
    if (channelId !== undefined) void loadSubscribers(channelId)
  }, [channelId])
  const here = channelId === undefined ? undefined : state.channels.get(channelId)?.subscribers
  const people = sortedPeople(filter)
  const inChannel = here ? people.filter(({ user_id }) => here.has(user_id)) : []
  const others = here ? people.filter(({ user_id }) => !here.has(user_id)) : people
  return (
    <aside class="people" aria-label={t.people.label}>
      <input
        class="field people-filter"
        type="search"
        placeholder={t.people.filter}
        aria-label={t.people.filter}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {inChannel.length > 0 && <PeopleList title={t.people.inChannel} people={inChannel} />}
      {others.length > 0 && (
        <PeopleList title={here ? t.people.others : t.people.everybody} people={others.slice(0, SHOWN)} />
      )}
      {people.length === 0 && <p class="people-none">{t.people.nobody}</p>}
    </aside>
  )
}

function sortedPeople(filter: string): User[] {
  const words = filter.trim().toLowerCase().split(/\s+/)
  const at = now.value
  const rank = ({ user_id }: User) =>
    user_id === state.me ? 0 : { active: 0, idle: 1, offline: 2 }[presenceOf(state, user_id, at)]
  return [...state.users.values()]
    .filter(({ is_active, is_bot, user_id }) => is_active && !is_bot && !state.mutedUsers.has(user_id))
    .filter(({ full_name }) => words.every((word) => full_name.toLowerCase().includes(word)))
    .map((user) => ({ user, rank: rank(user) }))
    .sort((a, b) => a.rank - b.rank || a.user.full_name.localeCompare(b.user.full_name))
    .map(({ user }) => user)
}

function PeopleList({ title, people }: { readonly title: string; readonly people: readonly User[] }) {
  return (
    <section aria-label={title}>
      <h2 class="sidebar-heading">{title}</h2>
      <ul>
        {people.map(({ user_id, full_name }) => {
          const status = state.statuses.get(user_id)
          return (
            <li key={user_id}>
              <button
                type="button"
                class="people-row"
                aria-haspopup="dialog"
                onClick={(event) => openUserCard(user_id, event.currentTarget)}
              >
                <PresenceDot userId={user_id} />
                <span class="people-name">
                  <span class="one-line">
                    {full_name}
                    {user_id === state.me && <span class="soft"> {t.you}</span>}
                  </span>
                  {status?.status_text && <span class="one-line small soft">{status.status_text}</span>}
                </span>
                {status?.emoji_code && status.reaction_type === 'unicode_emoji' && (
                  <span aria-hidden="true">{emojiFromCode(status.emoji_code)}</span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
