import './inbox.css'
import { useEffect, useState } from 'preact/hooks'
import { knowsRecent, loadRecent } from '../../actions/messages.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { hasWords } from '../../state/completion.ts'
import { conversationKey, conversationOf, isResolved } from '../../state/conversation.ts'
import { type RecentConversation, recentConversations } from '../../state/recent.ts'
import { isTopicMuted } from '../../state/topics.ts'
import { conversationUnread } from '../../state/unread.ts'
import { listed, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Count, Empty, Loading } from '../../ui/empty.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shortTime, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { now } from '../preferences.ts'
import { channelName, peerNames, topicName, userName } from '../words.ts'
import { useRowKeys } from './row-keys.ts'

const SHOWN = 100
const FACES = 4

/** The conversations with new messages, newest first. */
export function RecentView() {
  watch('recent', 'unread', 'channel', 'topic policy', 'user')
  const [isLoaded, setLoaded] = useState(knowsRecent())
  const [failed, setFailed] = useState(false)
  const [filter, setFilter] = useState('')
  const words = filter.trim()
  const load = () => {
    setFailed(false)
    loadRecent().then(
      () => setLoaded(true),
      () => setFailed(true),
    )
  }
  useEffect(() => {
    if (!isLoaded) load()
  }, [])
  const shown = recentConversations(state)
    .filter(({ conversation }) => {
      if (conversation.kind === 'direct') return true
      const channel = state.channels.get(conversation.channelId)
      return channel?.subscription && !isTopicMuted(state, conversation.channelId, conversation.topic)
    })
    .filter((one) => words === '' || hasWords(fullName(one), words))
    .slice(0, SHOWN)
  const faces = facesByConversation()
  const rows = useRowKeys()
  return (
    <>
      <header class="view-head">
        <Icon name="recent" />
        <h1>{t.views.recent}</h1>
        <span class="view-head-space" />
        <FilterField value={filter} onFilter={setFilter} />
      </header>
      <div ref={rows} class="view-scroll">
        <div class="view-inner inbox">
          {failed ? (
            <Empty title={t.list.failed}>
              <Button onClick={load}>{t.tryAgain}</Button>
            </Empty>
          ) : !isLoaded ? (
            <Loading label={t.loading} />
          ) : shown.length === 0 ? (
            <Empty
              icon={words === '' ? 'recent' : 'search'}
              title={words === '' ? t.nothing.here : t.inbox.noMatch}
            />
          ) : (
            <ul class="recent">
              {shown.map((one) => (
                <RecentRow
                  key={conversationKey(one.conversation)}
                  recent={one}
                  faces={faces.get(conversationKey(one.conversation)) ?? []}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
    </>
  )
}

function fullName({ conversation }: RecentConversation): string {
  return conversation.kind === 'topic'
    ? `${channelName(conversation.channelId)} ${topicName(conversation.topic)}`
    : peerNames(conversation.peers)
}

interface RecentRowProps {
  readonly recent: RecentConversation
  readonly faces: readonly number[]
}

function RecentRow({ recent: { conversation, newestId }, faces }: RecentRowProps) {
  const newest = state.messages.get(newestId)
  const { count, mentionCount } = conversationUnread(state, conversation)
  const isTopic = conversation.kind === 'topic'
  return (
    <li class="inbox-row">
      <a
        class={count > 0 ? 'inbox-link inbox-link-new' : 'inbox-link'}
        href={hrefOfConversation(conversation)}
      >
        <span
          class="recent-where one-line"
          style={{
            '--edge': (isTopic && state.channels.get(conversation.channelId)?.subscription?.color) || '',
          }}
        >
          <Icon
            name={
              isTopic ? (state.channels.get(conversation.channelId)?.invite_only ? 'lock' : 'hash') : 'direct'
            }
          />
          <span class="one-line">{isTopic ? channelName(conversation.channelId) : t.views.direct}</span>
        </span>
        <span
          class={
            isTopic && isResolved(conversation.topic) ? 'one-line recent-name soft' : 'one-line recent-name'
          }
        >
          {isTopic ? topicName(conversation.topic) : peerNames(conversation.peers)}
        </span>
        {mentionCount > 0 && (
          <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
            @
          </span>
        )}
        <Count count={count} strong={!isTopic} label={t.unread(count)} />
        <span class="recent-faces" role="img" aria-label={t.inbox.writtenBy(listed(faces.map(userName)))}>
          {faces.map((id) => (
            <Avatar key={id} url={state.users.get(id)?.avatar_url} name={userName(id)} size={20} />
          ))}
        </span>
        {newest && (
          <time
            class="recent-time"
            dateTime={new Date(newest.timestamp * 1_000).toISOString()}
            {...tip(wholeTime(newest.timestamp))}
          >
            {shortTime(newest.timestamp, now.value)}
          </time>
        )}
      </a>
    </li>
  )
}

/** Returns the last writers in each conversation, as far as messages are known. */
function facesByConversation(): Map<string, number[]> {
  const faces = new Map<string, number[]>()
  for (const message of [...state.messages.values()].sort((a, b) => b.id - a.id)) {
    const key = conversationKey(conversationOf(message, state.me))
    const found = faces.get(key) ?? []
    if (found.length < FACES && !found.includes(message.sender_id))
      faces.set(key, [...found, message.sender_id])
  }
  return faces
}
