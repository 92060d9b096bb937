import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { type Conversation, conversationKey, isResolved } from '../../state/conversation.ts'
import { shownMessage } from '../../state/muted-people.ts'
import { narrowOf } from '../../state/narrow.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { conversationUnread } from '../../state/unread.ts'
import { listed, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { leaveBefore } from '../../ui/leave.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { sinceShort, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { attempt } from '../announcement.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { now } from '../preferences.ts'
import { markRead } from '../undoable.ts'
import { channelName, peerNames, topicName, userName } from '../words.ts'
import { previewPartsOf } from './preview.ts'
import { chooseRow, chosenRows } from './row-choice.ts'

/** The actions on the chosen rows. */
const BulkBar = onDemand(() => import('./bulk-bar.tsx').then(({ BulkBar: bar }) => bar))

interface ListHeadProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ComponentChildren
}

/** The head of a list of conversations; while some are chosen, the actions on them are in its place, so that no row moves. */
export function ListHead({ icon, title, children }: ListHeadProps) {
  useEffect(BulkBar.preload, [])
  return (
    <header class="view-head">
      {chosenRows.value.size > 0 ? (
        <BulkBar />
      ) : (
        <>
          <Icon name={icon} />
          <h1 class="one-line">{title}</h1>
          <span class="view-head-space" />
          {children}
        </>
      )}
    </header>
  )
}

interface ConversationRowProps {
  readonly conversation: Conversation
  readonly newestId: number
  /** Whether a topic says in which channel it is. */
  readonly namesChannel?: boolean
  /** People who wrote there last. */
  readonly faces?: readonly number[]
  /** Whether the list has it only while it is unread. */
  readonly leavesWhenRead?: boolean
}

/** A conversation in two lines: its name, and the newest message. */
export function ConversationRow({
  conversation,
  newestId,
  namesChannel,
  faces,
  leavesWhenRead,
}: ConversationRowProps) {
  const key = conversationKey(conversation)
  // It is not drawn again for the same conversation.
  watch(`message ${newestId}`, `unread of conversation ${key}`, 'topic policy', 'channel', 'user')
  const newest = shownMessage(state, newestId)
  const preview = newest && previewPartsOf(newest)
  const { count, mentionCount } = conversationUnread(state, conversation)
  const isTopic = conversation.kind === 'topic'
  // The row of one person is named after them already.
  const namesWriter = isTopic || conversation.peers.length > 1 || newest?.sender_id === state.me
  const name = isTopic ? topicName(conversation.topic) : peerNames(conversation.peers)
  const isFollowed =
    isTopic && topicPolicy(state, conversation.channelId, conversation.topic) === TOPIC_POLICY.followed
  const channelId = isTopic && namesChannel ? conversation.channelId : undefined
  const writers = faces ?? (newest ? [newest.sender_id] : [])
  const shownFaces = isTopic || conversation.peers.length > 1 ? writers : conversation.peers
  const readRow = (button: Element) => {
    const read = () => markRead(narrowOf(conversation))
    const row = button.closest<HTMLElement>('.inbox-row')
    void attempt(row && leavesWhenRead ? leaveBefore(row, read) : read())
  }
  return (
    <li class={chosenRows.value.has(key) ? 'inbox-row row-chosen' : 'inbox-row'}>
      <input
        type="checkbox"
        class="row-check"
        aria-label={t.inbox.select(name)}
        checked={chosenRows.value.has(key)}
        onClick={(event) => chooseRow(key, conversation, event)}
      />
      <a
        class={count > 0 ? 'inbox-link inbox-link-new' : 'inbox-link'}
        href={hrefOfConversation(conversation)}
      >
        <span class="row-face" aria-hidden="true">
          {shownFaces.slice(0, 1).map((id) => (
            <Avatar key={id} url={state.users.get(id)?.avatar_url} name={userName(id)} size={32} />
          ))}
        </span>
        <span class="row-text">
          <span class="row-first">
            {channelId !== undefined && (
              <>
                <span class="row-where">
                  <ChannelIcon channel={state.channels.get(channelId)} />
                  <span class="one-line" dir="auto">
                    {channelName(channelId)}
                  </span>
                </span>
                <Icon name="within" />
              </>
            )}
            <span
              dir="auto"
              class={
                isTopic && isResolved(conversation.topic) ? 'one-line row-name soft' : 'one-line row-name'
              }
            >
              {name}
            </span>
            {isFollowed && <Icon name="follow" />}
            {mentionCount > 0 && (
              <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
                @
              </span>
            )}
            <Count count={count} strong={!isTopic} label={t.unread(count)} />
          </span>
          <span class="row-preview one-line" dir="auto">
            {preview && (
              <>
                {namesWriter && <bdi>{preview.writer}</bdi>}
                {preview.text}
              </>
            )}
          </span>
        </span>
        {shownFaces.length > 1 && (
          <span
            class="recent-faces"
            role="img"
            aria-label={t.inbox.writtenBy(listed(shownFaces.map(userName)))}
          >
            {shownFaces.slice(1).map((id) => (
              <Avatar key={id} url={state.users.get(id)?.avatar_url} name={userName(id)} size={20} />
            ))}
          </span>
        )}
        {newest && (
          <time
            class="recent-time"
            dateTime={new Date(newest.timestamp * 1_000).toISOString()}
            {...tip(wholeTime(newest.timestamp))}
          >
            {sinceShort(newest.timestamp, now.value)}
          </time>
        )}
      </a>
      {count > 0 ? (
        <IconButton
          icon="read"
          class="inbox-read"
          label={t.inbox.markRead(name)}
          hint="e"
          onClick={(event) => readRow(event.currentTarget as Element)}
        />
      ) : (
        <span class="inbox-read-none" />
      )}
    </li>
  )
}
