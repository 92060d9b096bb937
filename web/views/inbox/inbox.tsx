import './inbox.css'
import { useEffect, useState } from 'preact/hooks'
import { loadMessages } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { subscribedChannels } from '../../state/channels.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { COMBINED_FEED, channelNarrow } from '../../state/narrow.ts'
import { mayCreateChannel, maySeeInvitations } from '../../state/permissions.ts'
import { isTopicMuted } from '../../state/topics.ts'
import { totalUnread } from '../../state/unread.ts'
import { hasWords } from '../../state/words.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { markRead } from '../undoable.ts'
import { channelName, peerNames, topicName } from '../words.ts'
import { ConversationRow } from './conversation-row.tsx'
import { BulkBar, chosenRows } from './row-choice.ts'
import { useRowKeys, useShownRows } from './row-keys.ts'

interface InboxEntry {
  readonly conversation: Conversation
  readonly newestId: number
}

/** Number of conversations that are drawn before the user asks for more. */
const SHOWN = 150

/** The unread messages, by conversation, to be read one after the other. */
export function InboxView() {
  watch('unread', 'channel', 'topic policy', 'user', 'me', 'group', 'organization')
  const [filter, setFilter] = useState('')
  const words = filter.trim()
  const [limit, setLimit] = useState(SHOWN)
  const rows = useRowKeys()
  const entries = [...state.unread.conversations.values()]
    .filter(({ conversation }) => !isMuted(conversation))
    .filter(({ conversation }) => words === '' || hasWords(nameOf(conversation), words))
    .sort((a, b) => b.newestId - a.newestId)
  const more = entries.length - limit
  entries.splice(limit)
  const direct = entries.filter(({ conversation }) => conversation.kind === 'direct')
  const channels = new Map<number, InboxEntry[]>()
  for (const entry of entries) {
    const { conversation } = entry
    if (conversation.kind !== 'topic') continue
    channels.set(conversation.channelId, [...(channels.get(conversation.channelId) ?? []), entry])
  }
  const shown = [...direct, ...[...channels.values()].flat()]
  useShownRows(shown)
  usePreviews(shown)
  return (
    <>
      <header class="view-head">
        <Icon name="inbox" />
        <h1>{t.views.inbox}</h1>
        <span class="view-head-space" />
        {totalUnread(state).count > 0 && (
          <>
            <FilterField value={filter} onFilter={setFilter} />
            <IconButton
              icon="read"
              label={t.conversation.markRead}
              onClick={() => attempt(markRead(COMBINED_FEED))}
            />
          </>
        )}
      </header>
      {entries.length === 0 ? (
        words === '' && isAlone() ? (
          <Alone />
        ) : (
          <Empty
            icon={words === '' ? 'inbox' : 'search'}
            title={words === '' ? t.inbox.nothing : t.inbox.noMatch}
          >
            <p>{words === '' ? t.inbox.nothingHint : ''}</p>
            <p>
              <a href="#recent">{t.views.recent}</a> · <a href="#feed">{t.views.feed}</a>
            </p>
          </Empty>
        )
      ) : (
        <div ref={rows} class="view-scroll">
          {chosenRows.value.size > 0 && <BulkBar />}
          <div class="view-inner inbox">
            {direct.length > 0 && (
              <section>
                <h2 class="inbox-heading">
                  <Icon name="direct" />
                  {t.views.direct}
                </h2>
                <Rows entries={direct} />
              </section>
            )}
            {[...channels].map(([id, topics]) => (
              <section key={id}>
                <h2
                  class="inbox-heading"
                  style={{ '--edge': state.channels.get(id)?.subscription?.color ?? '' }}
                >
                  <Icon name={state.channels.get(id)?.invite_only ? 'lock' : 'hash'} />
                  <a href={hrefOf(channelNarrow(id))}>{channelName(id)}</a>
                  <span class="view-head-space" />
                  <IconButton
                    icon="read"
                    label={t.inbox.markChannelRead(channelName(id))}
                    onClick={() => attempt(markRead(channelNarrow(id)))}
                  />
                </h2>
                <Rows entries={topics} />
              </section>
            ))}
            {more > 0 && (
              <p class="inbox-more">
                <Button onClick={() => setLimit(limit + SHOWN)}>{t.inbox.more(more)}</Button>
              </p>
            )}
          </div>
        </div>
      )}
    </>
  )
}

/** Fetches the newest messages of conversations, of which lists show the beginning. */
function usePreviews(shown: readonly InboxEntry[]): void {
  const missing = shown.flatMap(({ newestId }) => (state.messages.has(newestId) ? [] : [newestId]))
  useEffect(() => {
    if (missing.length > 0) loadMessages(missing).catch(() => {})
  }, [missing.join()])
}

/** Whether nobody else has an account. */
function isAlone(): boolean {
  for (const { user_id, is_bot, is_active } of state.users.values()) {
    if (!is_bot && is_active && user_id !== state.me) return false
  }
  return true
}

/** The first steps in a new organization. */
function Alone() {
  const [first] = subscribedChannels(state).filter(({ is_archived }) => !is_archived)
  return (
    <Empty icon="invite" title={t.inbox.alone}>
      <p>{t.inbox.aloneHint}</p>
      <p class="inbox-steps">
        {maySeeInvitations(state) && (
          <a class="button button-main" href="#organization/invitations">
            {t.invite}
          </a>
        )}
        {mayCreateChannel(state, 'public') && (
          <a class="button" href="#channels/new">
            {t.channels.create}
          </a>
        )}
        {first && (
          <a class="button" href={hrefOf(channelNarrow(first.stream_id))}>
            {t.inbox.writeIn(first.name)}
          </a>
        )}
      </p>
    </Empty>
  )
}

function Rows({ entries }: { readonly entries: readonly InboxEntry[] }) {
  return (
    <ul>
      {entries.map(({ conversation, newestId }) => (
        <ConversationRow
          key={conversationKey(conversation)}
          conversation={conversation}
          newestId={newestId}
        />
      ))}
    </ul>
  )
}

function isMuted(conversation: Conversation): boolean {
  return conversation.kind === 'topic' && isTopicMuted(state, conversation.channelId, conversation.topic)
}

function nameOf(conversation: Conversation): string {
  return conversation.kind === 'topic'
    ? `${channelName(conversation.channelId)} ${topicName(conversation.topic)}`
    : peerNames(conversation.peers)
}
