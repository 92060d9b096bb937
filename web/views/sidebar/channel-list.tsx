import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { loadTopics } from '../../actions/message-windows.ts'
import { usePinnedTopics } from '../../actions/pins.ts'
import { state, watch } from '../../chat.ts'
import { address, hrefOf, hrefOfConversation } from '../../navigation.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import { foldersInOrder, subscribedChannels } from '../../state/channels.ts'
import type { Channel } from '../../state/chat-state.ts'
import { conversationKey, isResolved, topicKey } from '../../state/conversation.ts'
import { channelNarrow, channelOfNarrow, narrowOf } from '../../state/narrow.ts'
import { newestByChannel } from '../../state/recent.ts'
import { isTopicMuted, TOPIC_POLICY, topicPolicy, topicsOf } from '../../state/topics.ts'
import { channelUnread, conversationUnread, shownChannelCount } from '../../state/unread.ts'
import { hasWords } from '../../state/words.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { nameOrder, topicName } from '../words.ts'
import { orderingOf } from './dragged-channel.ts'
import { ChannelDraftMark, DraftMark, Row } from './row.tsx'
import { isShown, Section } from './section.tsx'
import { channelOrder, filter, folded, handOrder } from './sidebar-state.ts'

const OptionsMenu = onDemand(() => import('./options-menu.tsx').then(({ OptionsMenu: menu }) => menu))

interface ChannelGroup {
  readonly key: string
  readonly name: string
  readonly channels: readonly Channel[]
}

function isByHand(): boolean {
  return channelOrder.value === 'hand'
}

/** Returns channels in groups: pinned, each folder, the others, and the muted ones last. */
function groupsOfChannels(): ChannelGroup[] {
  const newest = channelOrder.value === 'activity' ? newestByChannel(state) : undefined
  const age = ({ stream_id }: Channel) => newest?.get(stream_id) ?? 0
  const places = new Map(isByHand() ? handOrder.value.map((id, place) => [id, place]) : [])
  const place = ({ stream_id }: Channel) => places.get(stream_id) ?? places.size
  const byName = nameOrder()
  const all = subscribedChannels(state)
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => place(a) - place(b) || age(b) - age(a) || byName(a.name, b.name))
  const active = (channels: readonly Channel[]) =>
    isByHand()
      ? channels
      : [
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
  ].filter(({ key, channels }) => channels.length > 0 || key === 'others')
}

/** The subscribed channels; with a filter, those that match, and those with matching topics. */
export function Channels() {
  watch('channel', 'folder', 'settings')
  if (channelOrder.value === 'activity') watch('recent')
  const shown = address.value
  const current = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  const words = filter.value.trim()
  const groups = groupsOfChannels().map((group) => ({
    ...group,
    section: group.channels.map(({ stream_id }) => stream_id),
    channels: group.channels.filter(({ stream_id, name }) =>
      words === ''
        ? !folded.value.has(group.key) || stream_id === current
        : hasWords(name, words) || topicsWith(stream_id, words).length > 0,
    ),
  }))
  if (words !== '' && groups.every(({ channels }) => channels.length === 0)) {
    return <p class="sidebar-foot soft">{t.sidebar.noMatch}</p>
  }
  return (
    <>
      {groups
        .filter(({ channels }) => words === '' || channels.length > 0)
        .map(({ key, name, channels, section }) => (
          <Section key={key} id={key} name={name} end={key === 'others' && <ChannelOptions />}>
            <ul>
              {channels.map(({ stream_id }) => (
                <ChannelRow
                  key={stream_id}
                  id={stream_id}
                  section={section}
                  isOpen={stream_id === current}
                  words={words}
                />
              ))}
            </ul>
          </Section>
        ))}
      <p class="sidebar-foot">
        <a href="#channels/all">{t.sidebar.allChannels}</a>
      </p>
    </>
  )
}

function topicsWith(channelId: number, words: string) {
  return topicsOf(state, channelId).filter(({ name }) => hasWords(topicName(name), words))
}

/** The buttons of the list: a new channel, and its menu. */
function ChannelOptions() {
  watch('me', 'group', 'organization')
  const [anchor, setAnchor] = useState<Element>()
  const mayCreate = mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')
  return (
    <>
      {mayCreate && (
        <a
          class="icon-button"
          href="#channels/new"
          aria-label={t.channels.create}
          data-tip={t.channels.create}
        >
          <Icon name="plus" />
        </a>
      )}
      <IconButton
        icon="more"
        label={t.sidebar.options}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget as Element)}
      />
      {anchor && <OptionsMenu anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  )
}

interface ChannelRowProps {
  readonly id: number
  /** Ids of the channels of its section, in their order. */
  readonly section: readonly number[]
  readonly isOpen: boolean
  readonly words: string
}

function ChannelRow({ id, section, isOpen, words }: ChannelRowProps) {
  watch(`channel ${id}`, `unread of channel ${id}`, 'settings')
  const channel = state.channels.get(id)
  if (!channel) return null
  const count = shownChannelCount(state, id)
  const { mentionCount } = channelUnread(state, id)
  const isMuted = channel.subscription?.is_muted === true
  const kinds = ['sidebar-channel', count > 0 && 'sidebar-row-new', isMuted && 'sidebar-row-muted']
  const narrow = channelNarrow(id)
  return (
    <li {...(words === '' ? orderingOf(section, id) : {})}>
      <Row
        narrow={narrow}
        section={section}
        name={`#${channel.name}`}
        class={kinds.filter(Boolean).join(' ')}
        href={hrefOf(narrow)}
        isChosen={isShown(narrow)}
      >
        <span class="channel-edge" style={{ background: channel.subscription?.color }} />
        <ChannelIcon channel={channel} />
        <span class="one-line" dir="auto">
          {channel.name}
        </span>
        {isMuted && <span class="hidden-text">{t.muted}</span>}
        {!isOpen && <ChannelDraftMark channelId={id} />}
        {mentionCount > 0 && <MentionMark />}
        <Count count={count} label={t.unread(count)} />
      </Row>
      {(isOpen || words !== '') && <Topics channelId={id} words={words} />}
    </li>
  )
}

function MentionMark() {
  return (
    <span class="sidebar-mention" role="img" aria-label={t.mentionsYou}>
      @
    </span>
  )
}

/** Number of topics that are listed before the user asks for all. */
const TOPICS_SHOWN = 8
const showsAllTopics = signal<number | undefined>(undefined)

function Topics({ channelId, words }: { readonly channelId: number; readonly words: string }) {
  watch(`topics of channel ${channelId}`, `topic policy ${channelId}`, `unread of channel ${channelId}`)
  const isComplete = state.topics.get(channelId)?.isComplete === true
  useEffect(() => {
    if (!isComplete && words === '') loadTopics(channelId).catch(() => {})
  }, [channelId, isComplete])
  const all = (words === '' ? topicsOf(state, channelId) : topicsWith(channelId, words)).map(
    ({ name }) => name,
  )
  const showsAll = showsAllTopics.value === channelId
  const pinnedKeys = usePinnedTopics(channelId)
  const isPinned = (topic: string) => pinnedKeys.has(topicKey(topic))
  const rest = all.filter((topic) => !isPinned(topic))
  const listed = [...all.filter(isPinned), ...(showsAll ? rest : firstTopics(channelId, rest))]
  const left = all.filter((topic) => !listed.includes(topic))
  const unread = left.reduce((sum, topic) => sum + unreadOf(channelId, topic), 0)
  return (
    <ul class="sidebar-topics">
      {listed.map((topic) => (
        <TopicRow key={topic} channelId={channelId} topic={topic} isPinned={isPinned(topic)} />
      ))}
      {(left.length > 0 || showsAll) && (
        <li>
          <button
            type="button"
            class="sidebar-row sidebar-topic soft"
            onClick={() => {
              showsAllTopics.value = showsAll ? undefined : channelId
            }}
          >
            <span class="one-line">
              {showsAll ? t.sidebar.fewerTopics : t.sidebar.moreTopics(left.length)}
            </span>
            <Count count={unread} label={t.unread(unread)} />
          </button>
        </li>
      )}
    </ul>
  )
}

function unreadOf(channelId: number, topic: string): number {
  return isTopicMuted(state, channelId, topic)
    ? 0
    : conversationUnread(state, { kind: 'topic', channelId, topic }).count
}

/** Returns the open topic, and the newest that are unread, and the newest: not many, and all where one alone would be left. */
function firstTopics(channelId: number, all: readonly string[]): readonly string[] {
  const isOpen = (topic: string) => isShown(narrowOf({ kind: 'topic', channelId, topic }))
  const first = [
    ...all.filter(isOpen),
    ...all.filter((topic) => unreadOf(channelId, topic) > 0),
    ...all.filter((topic) => !isTopicMuted(state, channelId, topic)),
  ]
  const listed = new Set([...new Set(first)].slice(0, TOPICS_SHOWN))
  return all.length - listed.size < 2 ? all : all.filter((topic) => listed.has(topic))
}

interface TopicRowProps {
  readonly channelId: number
  readonly topic: string
  readonly isPinned: boolean
}

function TopicRow({ channelId, topic, isPinned }: TopicRowProps) {
  const conversation = { kind: 'topic' as const, channelId, topic }
  watch(`unread of conversation ${conversationKey(conversation)}`, `topic policy ${channelId}`)
  const { count, mentionCount } = conversationUnread(state, conversation)
  const policy = topicPolicy(state, channelId, topic)
  const kinds = [
    'sidebar-topic',
    count > 0 && 'sidebar-row-new',
    policy === TOPIC_POLICY.muted && 'sidebar-row-muted',
  ]
  const narrow = narrowOf(conversation)
  return (
    <li>
      <Row
        narrow={narrow}
        name={topicName(topic)}
        class={kinds.filter(Boolean).join(' ')}
        href={hrefOfConversation(conversation)}
        isChosen={isShown(narrow)}
      >
        <span class={isResolved(topic) ? 'one-line soft' : 'one-line'} dir="auto">
          {topicName(topic)}
        </span>
        {isPinned && (
          <span class="sidebar-pin" role="img" aria-label={t.sidebar.pinnedTopic}>
            <Icon name="pin" />
          </span>
        )}
        {policy === TOPIC_POLICY.followed && <Icon name="follow" />}
        <DraftMark conversation={conversation} />
        {mentionCount > 0 && <MentionMark />}
        <Count count={count} label={t.unread(count)} />
      </Row>
    </li>
  )
}
