import './inbox.css'
import { useEffect, useState } from 'preact/hooks'
import { hasOlderRecent, knowsRecent, loadOlderRecent, loadRecent } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { conversationKey, conversationOf } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { type RecentConversation, recentConversations } from '../../state/recent.ts'
import { isTopicMuted } from '../../state/topics.ts'
import { hasWords } from '../../state/words.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { ViewFilter } from '../../ui/filter-field.tsx'
import { attempt } from '../announcement.tsx'
import { channelName, peerNames, topicName } from '../words.ts'
import { ConversationRow, ListHead } from './conversation-row.tsx'
import { usePreviews, useRowKeys, useShownRows } from './row-keys.ts'

const SHOWN = 100
const FACES = 4

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
  const all = recentConversations(state)
    .filter(({ conversation }) => {
      if (isDirect || conversation.kind === 'direct') return conversation.kind === 'direct'
      const channel = state.channels.get(conversation.channelId)
      return channel?.subscription && !isTopicMuted(state, conversation.channelId, conversation.topic)
    })
    .filter((one) => words === '' || hasWords(fullName(one), words))
  const shown = all.slice(0, limit)
  const showMore = async () => {
    if (all.length <= limit) await loadOlderRecent()
    setLimit(limit + SHOWN)
  }
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
