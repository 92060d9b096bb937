import './inbox.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import { subscribedChannels } from '../../state/channels.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { COMBINED_FEED, channelNarrow, DIRECT_MESSAGES } from '../../state/narrow.ts'
import { isOwner } from '../../state/own-permissions.ts'
import { maySeeInvitations } from '../../state/people-permissions.ts'
import { isTopicMuted } from '../../state/topics.ts'
import {
  channelUnread,
  directUnread,
  totalUnread,
  type UnreadCounts,
  unreadConversations,
} from '../../state/unread.ts'
import { hasWords } from '../../state/words.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Count, Empty } from '../../ui/empty.tsx'
import { ViewFilter } from '../../ui/filter-field.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { storedSet } from '../../ui/stored-set.ts'
import { attempt } from '../announcement.tsx'
import { iconOfChannel } from '../channel-icon.tsx'
import { markRead } from '../undoable.ts'
import { channelName, peerNames, topicName } from '../words.ts'
import { ConversationRow, ListHead } from './conversation-row.tsx'
import { usePreviews, useRowKeys, useShownRows } from './row-keys.ts'

interface InboxEntry {
  readonly conversation: Conversation
  readonly newestId: number
}

/** The part of direct conversations. */
const DIRECT = 'direct'
/** The folded parts, `direct` or the id of a channel. */
const [foldedParts, toggleFoldedPart] = storedSet('inbox folded')
/** Number of conversations that are drawn before the user asks for more. */
const SHOWN = 150

/** The unread messages, by conversation, to be read one after the other. */
export function InboxView() {
  watch('unread', 'channel', 'topic policy', 'user', 'me', 'group', 'organization')
  const [filter, setFilter] = useState('')
  const words = filter.trim()
  const [limit, setLimit] = useState(SHOWN)
  const rows = useRowKeys('inbox')
  const entries = unreadConversations(state)
    .filter(({ conversation }) => !isMuted(conversation))
    .filter(({ conversation }) => words === '' || hasWords(nameOf(conversation), words))
    .sort((a, b) => b.newestId - a.newestId)
  const isUnread = totalUnread(state).count > 0
  const more = entries.length - limit
  entries.splice(limit)
  const direct = entries.filter(({ conversation }) => conversation.kind === 'direct')
  const channels = new Map<number, InboxEntry[]>()
  for (const entry of entries) {
    const { conversation } = entry
    if (conversation.kind !== 'topic') continue
    channels.set(conversation.channelId, [...(channels.get(conversation.channelId) ?? []), entry])
  }
  // A filter also finds conversations in folded parts.
  const isFolded = (part: string) => words === '' && foldedParts.value.has(part)
  const shown = [
    ...(isFolded(DIRECT) ? [] : direct),
    ...[...channels].flatMap(([id, topics]) => (isFolded(String(id)) ? [] : topics)),
  ]
  useShownRows(shown)
  usePreviews(shown)
  return (
    <>
      <ListHead icon="inbox" title={t.views.inbox}>
        {/* What was typed can be taken out when the last of what it found has been read. */}
        {(isUnread || filter !== '') && <ViewFilter value={filter} onFilter={setFilter} />}
        {/* It is about all of them, and not about those that a filter shows. */}
        {isUnread && words === '' && (
          <IconButton
            icon="read"
            label={t.conversation.markRead}
            onClick={() => attempt(markRead(COMBINED_FEED))}
          />
        )}
      </ListHead>
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
              {subscribedChannels(state).length === 0 ? (
                <a class="button" href="#channels/available">
                  {t.sidebar.allChannels}
                </a>
              ) : (
                <>
                  <a href="#recent">{t.views.recent}</a> · <a href="#feed">{t.views.feed}</a>
                </>
              )}
            </p>
          </Empty>
        )
      ) : (
        <div ref={rows} class="view-scroll">
          <div class="view-inner inbox">
            {direct.length > 0 && (
              <section>
                <Heading
                  part={DIRECT}
                  name={t.views.direct}
                  icon="direct"
                  unread={directUnread(state)}
                  isStrong
                  isFolded={isFolded(DIRECT)}
                  onRead={() => attempt(markRead(DIRECT_MESSAGES))}
                >
                  <span>{t.views.direct}</span>
                </Heading>
                {!isFolded(DIRECT) && <Rows entries={direct} />}
              </section>
            )}
            {[...channels].map(([id, topics]) => (
              <section key={id}>
                <Heading
                  part={String(id)}
                  name={channelName(id)}
                  icon={iconOfChannel(state.channels.get(id))}
                  edge={state.channels.get(id)?.subscription?.color}
                  unread={channelUnread(state, id)}
                  isFolded={isFolded(String(id))}
                  onRead={() => attempt(markRead(channelNarrow(id)))}
                >
                  <a href={hrefOf(channelNarrow(id))}>{channelName(id)}</a>
                </Heading>
                {!isFolded(String(id)) && <Rows entries={topics} />}
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

interface HeadingProps {
  /** Under which it is stored whether it is folded. */
  readonly part: string
  readonly name: string
  readonly icon: IconName
  /** Color of a channel. */
  readonly edge?: string | undefined
  readonly unread: UnreadCounts
  /** Whether its number is one that is for the user. */
  readonly isStrong?: boolean
  readonly isFolded: boolean
  readonly onRead?: () => void
  readonly children: ComponentChildren
}

/** The heading of a part, with what is unread in it; it folds the part. */
function Heading({ part, name, icon, edge, unread, isStrong, isFolded, onRead, children }: HeadingProps) {
  return (
    <h2 class="inbox-heading" style={{ '--edge': edge ?? '' }}>
      <Icon name={icon} />
      {children}
      {unread.mentionCount > 0 && (
        <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
          @
        </span>
      )}
      <Count count={unread.count} strong={isStrong} label={t.unread(unread.count)} />
      <button
        type="button"
        class="inbox-fold"
        aria-label={name}
        aria-expanded={!isFolded}
        onClick={() => toggleFoldedPart(part)}
      >
        <Icon name="fold" />
      </button>
      {onRead && (
        <IconButton icon="read" class="inbox-read" label={t.inbox.markChannelRead(name)} onClick={onRead} />
      )}
    </h2>
  )
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
    <Empty icon="invite" title={t.inbox.alone(state.organization.name)}>
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
            {t.inbox.writeIn(`#${first.name}`)}
          </a>
        )}
      </p>
      {isOwner(state) && (
        <p class="small">
          <a href="#organization/imports">{t.inbox.importArchive}</a>
        </p>
      )}
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
          leavesWhenRead
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
