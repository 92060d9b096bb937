import './inbox.css'
import { useEffect, useState } from 'preact/hooks'
import { hasOlderRecent, knowsRecent, loadOlderRecent, loadRecent } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { conversationKey, conversationOf } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { type RecentConversation, recentConversations } from '../../state/recent.ts'
import { isTopicMuted } from '../../state/topics.ts'
import { hasWords } from '../../state/words.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { FilterChips, useStoredFilters } from '../../ui/filter-chips.tsx'
import { ViewFilter } from '../../ui/filter-field.tsx'
import { attempt } from '../announcement.tsx'
import { channelName, peerNames, topicName } from '../words.ts'
import { ConversationRow, ListHead } from './conversation-row.tsx'
import {
  passesFilters,
  RECENT_FILTERS,
  type RecentFilter,
  useOwnConversations,
  withUnread,
} from './recent-filters.ts'
import { usePreviews, useRowKeys, useShownRows } from './row-keys.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

const SHOWN = 100
const FACES = 4
const NO_FILTERS: ReadonlySet<string> = new Set()

/** The direct conversations, newest first. */
export function DirectList() {
  return <RecentView isDirect />
}

/** The conversations with new messages, newest first. */
export function RecentView({ isDirect = false }: { readonly isDirect?: boolean }) {
  watch('recent', 'unread', 'channel', 'topic policy', 'user')
  const [isLoaded, setLoaded] = useState(knowsRecent())
  const [failed, setFailed] = useState(false)
  const [filter, setFilter] = useState('')
  const words = filter.trim()
  const [kept, setOn] = useStoredFilters('recent filters')
  const on = isDirect ? NO_FILTERS : kept
  const own = useOwnConversations(on.has('mine'))
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
  const [limit, setLimit] = useState(SHOWN)
  const recent = recentConversations(state)
  const all = (on.has('unread') ? withUnread(recent) : recent)
    .filter(({ conversation }) => {
      if (isDirect || conversation.kind === 'direct') return conversation.kind === 'direct'
      const channel = state.channels.get(conversation.channelId)
      return channel?.subscription && !isTopicMuted(state, conversation.channelId, conversation.topic)
    })
    .filter(({ conversation }) => passesFilters(conversation, on, own))
    .filter((one) => words === '' || hasWords(fullName(one), words))
  const shown = all.slice(0, limit)
  const showMore = async () => {
    if (all.length <= limit) await loadOlderRecent()
    setLimit(limit + SHOWN)
  }
  const isWaiting = on.has('mine') && own === undefined
  const faces = facesByConversation()
  useShownRows(shown)
  usePreviews(shown)
  const rows = useRowKeys(isDirect ? 'direct' : 'recent')
  return (
    <>
      <ListHead icon={isDirect ? 'direct' : 'recent'} title={isDirect ? t.views.direct : t.views.recent}>
        <ViewFilter value={filter} onFilter={setFilter} />
      </ListHead>
      <div ref={rows} class="view-scroll">
        <div class="view-inner inbox">
          {!isDirect && (
            <FilterChips
              label={r.recent.filters}
              chips={RECENT_FILTERS.map((name) => ({
                key: name,
                name: r.recent[name],
                isOn: on.has(name),
                onClick: () => setOn(toggled(on, name)),
              }))}
            />
          )}
          {failed ? (
            <Empty title={t.list.failed}>
              <Button onClick={load}>{t.tryAgain}</Button>
            </Empty>
          ) : !isLoaded || isWaiting ? (
            <Loading label={t.loading} />
          ) : shown.length === 0 && on.size > 0 && words === '' ? (
            <Empty icon="recent" title={r.recent.none}>
              <Button onClick={() => setOn([])}>{r.recent.clear}</Button>
            </Empty>
          ) : shown.length === 0 ? (
            <Empty
              icon={words === '' ? 'recent' : 'search'}
              title={words === '' ? t.nothing.here : t.inbox.noMatch}
            />
          ) : (
            <ul class="recent">
              {shown.map((one) => (
                <ConversationRow
                  key={conversationKey(one.conversation)}
                  conversation={one.conversation}
                  newestId={one.newestId}
                  namesChannel
                  faces={faces.get(conversationKey(one.conversation)) ?? []}
                />
              ))}
            </ul>
          )}
          {isLoaded && !failed && (all.length > limit || hasOlderRecent()) && (
            <p class="inbox-more">
              <Button onClick={() => attempt(showMore())}>{t.inbox.older}</Button>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

function toggled(on: ReadonlySet<string>, name: RecentFilter): string[] {
  return on.has(name) ? [...on].filter((one) => one !== name) : [...on, name]
}

function fullName({ conversation }: RecentConversation): string {
  return conversation.kind === 'topic'
    ? `${channelName(conversation.channelId)} ${topicName(conversation.topic)}`
    : peerNames(conversation.peers)
}

/** Returns the last writers in each conversation, as far as messages are known. */
function facesByConversation(): Map<string, number[]> {
  const faces = new Map<string, number[]>()
  for (const message of [...state.messages.values()].sort((a, b) => b.id - a.id)) {
    const key = conversationKey(conversationOf(message, state.me))
    const found = faces.get(key) ?? []
    if (isMutedPerson(state, message.sender_id)) continue
    if (found.length < FACES && !found.includes(message.sender_id))
      faces.set(key, [...found, message.sender_id])
  }
  return faces
}
