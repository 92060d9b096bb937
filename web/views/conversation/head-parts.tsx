import type { ComponentChildren } from 'preact'
import { choosePolicy } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { goBack } from '../../navigation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import type { Narrow } from '../../state/narrow.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import type { User } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { tip } from '../../ui/tooltip.ts'
import { attempt } from '../announcement.tsx'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { openUserCard } from '../message/surface.ts'
import { PresenceDot } from '../people/presence-dot.tsx'
import { isNarrow, isPeopleShown, togglePeople } from '../preferences.ts'
import { searchWithin } from '../search/search-box.tsx'

const FACES = 3

/** How many people a channel has, with the faces of some once their column has loaded them; it opens and closes that. */
export function Members({ channelId }: { readonly channelId: number }) {
  watch(`channel ${channelId}`)
  const channel = state.channels.get(channelId)
  if (!channel || isNarrow.value) return null
  const { subscriber_count: count } = channel
  const faces = facesOf(channel.subscribers ?? new Set())
  return (
    <button
      type="button"
      class="view-head-members"
      aria-expanded={isPeopleShown()}
      {...tip(t.channels.subscribers(count), 'g')}
      onClick={togglePeople}
    >
      {faces.length === 0 ? (
        <Icon name="people" />
      ) : (
        <span class="faces">
          {faces.map(({ user_id, avatar_url, full_name }) => (
            <Avatar key={user_id} url={avatar_url} name={full_name} size={20} />
          ))}
        </span>
      )}
      <span class="hidden-text">{t.channels.subscribers(count)}</span>
      <span aria-hidden="true">{count}</span>
    </button>
  )
}

/** Returns the first people, not the user and no bots. */
function facesOf(ids: ReadonlySet<number>): User[] {
  const faces: User[] = []
  for (const id of ids) {
    const user = state.users.get(id)
    if (user?.is_active && !user.is_bot && id !== state.me && !isMutedPerson(state, id)) faces.push(user)
    if (faces.length === FACES) break
  }
  return faces
}

/** The people of a direct conversation, with their presence and status. The name opens their card. */
export function Person({ id, name }: { readonly id: number; readonly name: string }) {
  watch(`user ${id}`, `status ${id}`)
  const isMuted = isMutedPerson(state, id)
  return (
    <>
      <HeadSign>{state.users.get(id)?.is_bot && <Icon name="bot" />}</HeadSign>
      {!isMuted && <PresenceDot userId={id} />}
      <h1 class="one-line" dir="auto">
        <button type="button" onClick={(event) => openUserCard(id, event.currentTarget)}>
          {name}
        </button>
      </h1>
      <StatusEmoji userId={id} />
      <span class="view-head-about one-line" dir="auto">
        {!isMuted && state.statuses.get(id)?.status_text}
      </span>
    </>
  )
}

/** Follows a topic, or no longer. */
export function FollowButton({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  watch(`topic policy ${channelId}`)
  const isFollowed = topicPolicy(state, channelId, topic) === TOPIC_POLICY.followed
  return (
    <button
      type="button"
      class="button view-head-word"
      aria-pressed={isFollowed}
      onClick={() =>
        attempt(choosePolicy(channelId, topic, isFollowed ? TOPIC_POLICY.none : TOPIC_POLICY.followed))
      }
    >
      <Icon name="follow" filled={isFollowed} />
      {isFollowed ? t.conversation.following : t.inbox.follow}
    </button>
  )
}

/** The sign of a view; in a small window the way back. */
export function HeadSign({ children }: { readonly children: ComponentChildren }) {
  return isNarrow.value ? (
    <IconButton icon="back" class="view-head-back" label={t.back} onClick={goBack} />
  ) : (
    children
  )
}

/** Starts a search in the present narrow. */
export function SearchHere({ narrow }: { readonly narrow: Narrow }) {
  if (isNarrow.value) return null
  return <IconButton icon="search" label={t.conversation.searchHere} onClick={() => searchWithin(narrow)} />
}
