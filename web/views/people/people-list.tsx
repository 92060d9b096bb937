import './people-list.css'
import { useEffect, useState } from 'preact/hooks'
import { loadSubscribers } from '../../actions/personal.ts'
import { pacedSlices, state, watch, watchPaced } from '../../chat.ts'
import { address } from '../../navigation.ts'
import { conversationKey } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { channelOfNarrow, conversationOfNarrow, narrowOf } from '../../state/narrow.ts'
import { presenceOf } from '../../state/users.ts'
import type { User } from '../../state/wire.ts'
import { hasWords, plainName } from '../../state/words.ts'
import { locale, t } from '../../texts/texts.ts'
import { FilterField } from '../../ui/filter-field.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { openUserCard } from '../message/surface.ts'
import { now } from '../preferences.ts'
import { Face } from './avatar-with-presence.tsx'

/** Slices that the list shows: in a large organization users come and go at any moment. */
const PEOPLE = pacedSlices(['user', 'presence', 'status', 'muted users'], 1_000)

/** The number of listed people; the box above finds the others. */
const SHOWN = 200
/** The delay in milliseconds that lets messages load first. */
const AFTER_CHANNEL_MS = 120

const PersonBeside = onDemand(async () => {
  const { PersonBeside: person, loadFrameTexts } = await import('./user-card.tsx')
  await loadFrameTexts()
  return person
})
const SharedFiles = onDemand(async () => {
  const { SharedFiles: files, loadFrameTexts } = await import('./shared-files.tsx')
  await loadFrameTexts()
  return files
})

/** Who is here: beside a direct conversation its people and files, else everybody. */
export function People() {
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  const peers = here?.kind === 'direct' ? here.peers : []
  return (
    <>
      {peers.length === 1 && <PersonBeside key={peers[0]} userId={peers[0]!} />}
      {here && peers.length > 0 && <SharedFiles key={conversationKey(here)} narrow={narrowOf(here)} />}
      {peers.length !== 1 && <Everybody />}
    </>
  )
}

/** The people of the place first, then the others. */
function Everybody() {
  watchPaced(PEOPLE)
  const [filter, setFilter] = useState('')
  const channelId = useChannelShown()
  if (channelId !== undefined) watch(`channel ${channelId}`)
  const peers = peersShown()
  const here = peers ?? (channelId === undefined ? undefined : state.channels.get(channelId)?.subscribers)
  // A new queue brings the channel without its people.
  useEffect(() => {
    if (channelId !== undefined) void loadSubscribers(channelId)
  }, [channelId, !here])
  const people = sortedPeople(filter)
  const inChannel = here ? firstOf(people, ({ user_id }) => here.has(user_id)) : []
  const others = firstOf(people, ({ user_id }) => !here?.has(user_id))
  return (
    <>
      <FilterField class="people-filter" label={t.people.filter} value={filter} onFilter={setFilter} />
      {inChannel.length > 0 && (
        <PeopleList title={peers ? t.people.inConversation : t.people.inChannel} people={inChannel} />
      )}
      {others.length > 0 && (
        <PeopleList title={here ? t.people.others : t.people.everybody} people={others} />
      )}
      {people.length === 0 && <p class="people-none">{t.people.nobody}</p>}
    </>
  )
}

/** Returns the people of the present conversation between several, and the user. */
function peersShown(): ReadonlySet<number> | undefined {
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  return here?.kind === 'direct' && here.peers.length > 1 ? new Set([...here.peers, state.me]) : undefined
}

/** Returns the present channel, once it has been drawn: the list of its people may come a moment later. */
function useChannelShown(): number | undefined {
  const shown = address.value
  const channelId = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  const [drawnFor, setDrawnFor] = useState(channelId)
  useEffect(() => {
    if (drawnFor === channelId) return
    const timer = setTimeout(() => setDrawnFor(channelId), AFTER_CHANNEL_MS)
    return () => clearTimeout(timer)
  }, [channelId, drawnFor])
  return drawnFor
}

/** Returns the people to list, those who are here first, and then by name. */
function sortedPeople(filter: string): User[] {
  const at = now.value
  const ranked: [User[], User[], User[]] = [[], [], []]
  for (const user of peopleByName()) {
    if (isMutedPerson(state, user.user_id)) continue
    if (filter !== '' && !hasWords(plainName(user), filter)) continue
    const isHere = user.user_id === state.me
    ranked[isHere ? 0 : RANKS[presenceOf(state, user.user_id, at)]].push(user)
  }
  return ranked.flat()
}

const RANKS = { active: 0, idle: 1, offline: 2 } as const

let byName: { readonly of: typeof state.users; readonly version: number; readonly people: User[] } | undefined

/**
 * Returns people by name, sorted once, and again when an account has changed: ten thousand names take a
 * while.
 */
function peopleByName(): readonly User[] {
  const version = state.changes.version('user')
  if (byName?.of !== state.users || byName.version !== version) {
    const { compare } = new Intl.Collator(locale())
    const people = [...state.users.values()]
      .filter(({ is_active, is_bot }) => is_active && !is_bot)
      .sort((a, b) => compare(a.full_name, b.full_name))
    byName = { of: state.users, version, people }
  }
  return byName.people
}

function firstOf(people: readonly User[], isWanted: (user: User) => boolean): User[] {
  const found: User[] = []
  for (const user of people) {
    if (found.length === SHOWN) break
    if (isWanted(user)) found.push(user)
  }
  return found
}

function PeopleList({ title, people }: { readonly title: string; readonly people: readonly User[] }) {
  return (
    <section aria-label={title}>
      <h2 class="sidebar-heading">{title}</h2>
      <ul>
        {people.map((user) => {
          const { user_id, full_name } = user
          const status = state.statuses.get(user_id)
          return (
            <li key={user_id}>
              <button
                type="button"
                class="people-row"
                aria-haspopup="dialog"
                onClick={(event) => openUserCard(user_id, event.currentTarget)}
              >
                <Face user={user} />
                <span class="people-name">
                  <span class="people-full-name">
                    <span class="one-line" dir="auto">
                      {full_name}
                    </span>
                    {user_id === state.me && <span class="soft">{t.you}</span>}
                  </span>
                  {status?.status_text && (
                    <span class="one-line small soft" dir="auto">
                      {status.status_text}
                    </span>
                  )}
                </span>
                <span aria-hidden="true">
                  <StatusEmoji userId={user_id} />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
