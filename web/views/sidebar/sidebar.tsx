import { readStored, store } from '../../ui/stored.ts'
import './sidebar.css'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { loadTopics } from '../../actions/messages.ts'
import { state, watch } from '../../chat.ts'
import { address, hrefOf, hrefOfConversation } from '../../navigation.ts'
import { foldersInOrder, subscribedChannels } from '../../state/channels.ts'
import type { Channel } from '../../state/chat-state.ts'
import { conversationKey, isResolved } from '../../state/conversation.ts'
import {
  COMBINED_FEED,
  channelNarrow,
  channelOfNarrow,
  conversationOfNarrow,
  DIRECT_MESSAGES,
  MENTIONS,
  type Narrow,
  narrowKey,
  STARRED,
} from '../../state/narrow.ts'
import { recentDirect } from '../../state/recent.ts'
import { isTopicMuted, TOPIC_POLICY, topicPolicy, topicsOf } from '../../state/topics.ts'
import {
  channelUnread,
  conversationUnread,
  directUnread,
  shownChannelCount,
  totalUnread,
  unreadMentions,
} from '../../state/unread.ts'
import { t } from '../../texts/texts.ts'
import { Count } from '../../ui/empty.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { PresenceDot } from '../people/presence-dot.tsx'
import { isSidebarOpen } from '../preferences.ts'
import { peerNames, topicName } from '../words.ts'

/** Everything that the user can open, with the number of new messages. */
export function Sidebar() {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links in it are pressed by keys too, which clicks them
    <nav
      id="sidebar"
      class={isSidebarOpen.value ? 'sidebar sidebar-open' : 'sidebar'}
      aria-label={t.sidebar.label}
      onClick={(event) => {
        if ((event.target as Element).closest('a')) isSidebarOpen.value = false
      }}
    >
      <Views />
      <DirectMessages />
      <Channels />
    </nav>
  )
}

function Views() {
  watch('unread', 'stars', 'settings', 'drafts')
  const { view } = address.value
  const total = totalUnread(state)
  const stars = state.settings.starred_message_counts ? state.starred.size : 0
  return (
    <ul class="sidebar-views">
      <ViewLink icon="inbox" href="#inbox" isChosen={view === 'inbox'} name={t.views.inbox}>
        <Count count={total.count} label={t.unread(total.count)} />
      </ViewLink>
      <ViewLink icon="recent" href="#recent" isChosen={view === 'recent'} name={t.views.recent} />
      <NarrowLink icon="feed" narrow={COMBINED_FEED} name={t.views.feed} />
      <NarrowLink icon="at" narrow={MENTIONS} name={t.views.mentions}>
        <Count count={unreadMentions(state).length} strong label={t.unread(unreadMentions(state).length)} />
      </NarrowLink>
      <NarrowLink icon="star" narrow={STARRED} name={t.views.starred}>
        <Count count={stars} label={t.starredCount(stars)} />
      </NarrowLink>
      <ViewLink icon="draft" href="#drafts" isChosen={view === 'drafts'} name={t.views.drafts}>
        <Count count={state.drafts.size} label={String(state.drafts.size)} />
      </ViewLink>
    </ul>
  )
}

interface ViewLinkProps {
  readonly icon: IconName
  readonly href: string
  readonly isChosen: boolean
  readonly name: string
  readonly children?: ComponentChildren
}

function ViewLink({ icon, href, isChosen, name, children }: ViewLinkProps) {
  return (
    <li>
      <a class="sidebar-row" href={href} aria-current={isChosen ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="one-line">{name}</span>
        {children}
      </a>
    </li>
  )
}

function NarrowLink({
  narrow,
  ...props
}: Omit<ViewLinkProps, 'href' | 'isChosen'> & { readonly narrow: Narrow }) {
  return <ViewLink {...props} href={hrefOf(narrow)} isChosen={isChosen(narrow)} />
}

function isChosen(narrow: Narrow): boolean {
  const shown = address.value
  return shown.view === 'narrow' && narrowKey(shown.narrow) === narrowKey(narrow)
}

/** Limit of rows; the inbox has the rest. */
const MAX_SHOWN = 30
/**
 * Number of conversations that are listed before the user asks for all of them; those with new messages are
 * always listed.
 */
const DIRECT_SHOWN = 8

function DirectMessages() {
  watch('recent', 'unread', 'user')
  const conversations = recentDirect(state)
  const { count } = directUnread(state)
  const shown = conversations.filter(
    ({ conversation }, index) =>
      index < DIRECT_SHOWN ||
      (index < MAX_SHOWN && conversationUnread(state, conversation).count > 0) ||
      isChosen([{ operator: 'dm', operand: conversation.peers }]),
  )
  return (
    <section aria-label={t.views.direct}>
      <h2 class="sidebar-heading">
        <a href={hrefOf(DIRECT_MESSAGES)} aria-current={isChosen(DIRECT_MESSAGES) ? 'page' : undefined}>
          {t.views.direct}
        </a>
        <Count count={count} strong label={t.unread(count)} />
      </h2>
      <ul>
        {shown.map(({ conversation }) => {
          const { peers } = conversation
          const unread = conversationUnread(state, conversation).count
          const single = peers.length === 1 && !state.users.get(peers[0]!)?.is_bot ? peers[0] : undefined
          return (
            <li key={conversationKey(conversation)}>
              <a
                class={unread > 0 ? 'sidebar-row sidebar-row-new' : 'sidebar-row'}
                href={hrefOfConversation(conversation)}
                aria-current={isChosen([{ operator: 'dm', operand: peers }]) ? 'page' : undefined}
              >
                {single === undefined ? (
                  <Icon name={peers.length > 1 ? 'group' : 'bot'} />
                ) : (
                  <PresenceDot userId={single} />
                )}
                <span class="one-line">{peerNames(peers)}</span>
                <Count count={unread} strong label={t.unread(unread)} />
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface ChannelGroup {
  readonly key: string
  readonly name: string
  readonly channels: readonly Channel[]
}

/** Returns channels in groups: pinned, each folder, the others, and the muted ones last. */
function groupsOfChannels(): ChannelGroup[] {
  const all = subscribedChannels(state)
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => a.name.localeCompare(b.name))
  const active = (channels: readonly Channel[]) => [
    ...channels.filter(({ subscription }) => !subscription?.is_muted),
    ...channels.filter(({ subscription }) => subscription?.is_muted),
  ]
  const pinned = all.filter(({ subscription }) => subscription?.pin_to_top)
  const rest = all.filter(({ subscription }) => !subscription?.pin_to_top)
  const folders = state.settings.web_left_sidebar_show_channel_folders === false ? [] : foldersInOrder(state)
  const inFolder = new Set(folders.map(({ id }) => id))
  return [
    { key: 'pinned', name: t.sidebar.pinned, channels: active(pinned) },
    ...folders.map(({ id, name }) => ({
      key: `folder ${id}`,
      name,
      channels: active(rest.filter(({ folder_id }) => folder_id === id)),
    })),
    {
      key: 'others',
      name: t.sidebar.channels,
      channels: active(rest.filter(({ folder_id }) => folder_id === null || !inFolder.has(folder_id))),
    },
  ].filter(({ channels }) => channels.length > 0)
}

/** The collapsed folders, stored by this browser. */
const folded = signal(new Set(readStored<string[]>('folded')))

function toggleFolded(key: string): void {
  const next = new Set(folded.value)
  if (!next.delete(key)) next.add(key)
  folded.value = next
  store('folded', [...next])
}

function Channels() {
  watch('channel', 'folder', 'settings')
  const shown = address.value
  const current = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  return (
    <>
      {groupsOfChannels().map(({ key, name, channels }) => {
        const isFolded = folded.value.has(key)
        return (
          <section key={key} aria-label={name}>
            <h2 class="sidebar-heading">
              <button
                type="button"
                class="sidebar-fold"
                aria-expanded={!isFolded}
                onClick={() => toggleFolded(key)}
              >
                <Icon name="fold" />
                {name}
              </button>
            </h2>
            <ul>
              {channels
                .filter(({ stream_id }) => !isFolded || stream_id === current)
                .map(({ stream_id }) => (
                  <ChannelRow key={stream_id} id={stream_id} isOpen={stream_id === current} />
                ))}
            </ul>
          </section>
        )
      })}
      <p class="sidebar-foot">
        <a href="#channels">{t.sidebar.allChannels}</a>
      </p>
    </>
  )
}

function ChannelRow({ id, isOpen }: { readonly id: number; readonly isOpen: boolean }) {
  watch(`channel ${id}`, `unread of channel ${id}`, 'settings')
  const channel = state.channels.get(id)
  if (!channel) return null
  const count = shownChannelCount(state, id)
  const { mentionCount } = channelUnread(state, id)
  const isMuted = channel.subscription?.is_muted === true
  const kinds = ['sidebar-row', count > 0 && 'sidebar-row-new', isMuted && 'sidebar-row-muted']
  return (
    <li>
      <a
        class={kinds.filter(Boolean).join(' ')}
        href={hrefOf(channelNarrow(id))}
        aria-current={isChosen(channelNarrow(id)) ? 'page' : undefined}
      >
        <span class="sidebar-channel" style={{ color: channel.subscription?.color }}>
          <Icon name={channel.invite_only ? 'lock' : channel.is_web_public ? 'globe' : 'hash'} />
        </span>
        <span class="one-line">{channel.name}</span>
        {isMuted && <span class="hidden-text">{t.muted}</span>}
        {mentionCount > 0 && (
          <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
            @
          </span>
        )}
        <Count count={count} label={t.unread(count)} />
      </a>
      {isOpen && <Topics channelId={id} />}
    </li>
  )
}

const TOPICS_SHOWN = 6
const showsAllTopics = signal<number | undefined>(undefined)

function Topics({ channelId }: { readonly channelId: number }) {
  watch(`topics of channel ${channelId}`, `topic policy ${channelId}`, `unread of channel ${channelId}`)
  const isComplete = state.topics.get(channelId)?.isComplete === true
  useEffect(() => {
    if (!isComplete) loadTopics(channelId).catch(() => {})
  }, [channelId, isComplete])
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  const hereKey = here && conversationKey(here)
  const all = topicsOf(state, channelId)
  const showsAll = showsAllTopics.value === channelId
  const listed = all.filter(({ name }, index) => {
    const conversation = { kind: 'topic' as const, channelId, topic: name }
    return (
      showsAll ||
      (index < TOPICS_SHOWN && !isTopicMuted(state, channelId, name)) ||
      (index < MAX_SHOWN && conversationUnread(state, conversation).count > 0) ||
      conversationKey(conversation) === hereKey
    )
  })
  return (
    <ul class="sidebar-topics">
      {listed.map(({ name }) => {
        const conversation = { kind: 'topic' as const, channelId, topic: name }
        const { count, mentionCount } = conversationUnread(state, conversation)
        const policy = topicPolicy(state, channelId, name)
        const kinds = [
          'sidebar-row sidebar-topic',
          count > 0 && 'sidebar-row-new',
          policy === TOPIC_POLICY.muted && 'sidebar-row-muted',
        ]
        return (
          <li key={name}>
            <a
              class={kinds.filter(Boolean).join(' ')}
              href={hrefOfConversation(conversation)}
              aria-current={conversationKey(conversation) === hereKey ? 'page' : undefined}
            >
              <span class={isResolved(name) ? 'one-line soft' : 'one-line'}>{topicName(name)}</span>
              {policy === TOPIC_POLICY.followed && <Icon name="follow" />}
              {mentionCount > 0 && (
                <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
                  @
                </span>
              )}
              <Count count={count} label={t.unread(count)} />
            </a>
          </li>
        )
      })}
      {(listed.length < all.length || showsAll) && (
        <li>
          <button
            type="button"
            class="sidebar-row sidebar-topic soft"
            onClick={() => {
              showsAllTopics.value = showsAll ? undefined : channelId
            }}
          >
            {showsAll ? t.sidebar.fewerTopics : t.sidebar.allTopics(all.length)}
          </button>
        </li>
      )}
    </ul>
  )
}
