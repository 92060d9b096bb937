import { useEffect, useState } from 'preact/hooks'
import { subscribe } from '../../actions/personal.ts'
import { usePins } from '../../actions/pins.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import type { Address } from '../../state/addresses.ts'
import { maySubscribe } from '../../state/channel-permissions.ts'
import { isResolved } from '../../state/conversation.ts'
import { isMessageAlone } from '../../state/links.ts'
import { mayResolve } from '../../state/message-permissions.ts'
import {
  channelNarrow,
  channelOfNarrow,
  conversationOfNarrow,
  DIRECT_MESSAGES,
  isNamedView,
  isSearch,
  type Narrow,
  narrowKey,
  topicOfNarrow,
} from '../../state/narrow.ts'
import { printSearch } from '../../state/search-text.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { attempt } from '../announcement.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { Compose } from '../compose/compose.tsx'
import { showNarrow } from '../compose/compose-state.ts'
import { HtmlText } from '../message/html-text.tsx'
import { markRead, toggleTopic } from '../undoable.ts'
import { channelName, peerNames, topicName } from '../words.ts'
import { useLostTopic, useViewNumber } from './follow.ts'
import { FollowButton, HeadSign, Members, Person, SearchHere } from './head-parts.tsx'
import { type Linked, useLinked } from './linked-message.ts'
import { MessageList } from './message-list.tsx'

const SearchResults = onDemand(async () => {
  const { SearchResults: results, loadReadingTexts } = await import('../search/search-results.tsx')
  await loadReadingTexts()
  return results
})
const DirectList = onDemand(() => import('../inbox/recent-view.tsx').then(({ DirectList: list }) => list))
const DirectMenu = onDemand(async () => {
  const { DirectMenu: menu, loadFrameTexts } = await import('./direct-menu.tsx')
  await loadFrameTexts()
  return menu
})
const PinsBar = onDemand(() => import('../pins/pins-bar.tsx').then(({ PinsBar: bar }) => bar))
const ChannelMenu = onDemand(() => import('./channel-menu.tsx').then(({ ChannelMenu: menu }) => menu))

/** The view of a narrow: its heading, the messages, and the box for writing. */
export function ConversationView({ shown }: { readonly shown: Extract<Address, { view: 'narrow' }> }) {
  const linked = useLinked(shown)
  const { narrow } = shown
  const key = narrowKey(narrow)
  useEffect(() => showNarrow(narrow), [key])
  const named = shown.near ?? shown.with
  if (named !== undefined && isMessageAlone(narrow, named)) return <MessageAlone linked={linked} />
  if (named === undefined && (shown.range !== undefined || !isNamedView(narrow))) {
    return (
      <>
        <SearchResults shown={shown} />
        <Compose narrow={narrow} />
      </>
    )
  }
  const isList = named === undefined && key === narrowKey(DIRECT_MESSAGES)
  return (
    <>
      {isList ? (
        <DirectList />
      ) : (
        <>
          <ViewHead narrow={narrow} />
          <PinsHere narrow={narrow} />
          <Messages narrow={narrow} linked={linked} />
        </>
      )}
      <Compose narrow={narrow} />
    </>
  )
}

function Messages({ narrow, linked }: { readonly narrow: Narrow; readonly linked: Linked }) {
  const channelId = channelOfNarrow(narrow)
  if (channelId !== undefined) watch(`channel ${channelId}`)
  const number = useViewNumber(narrowKey(narrow))
  const isLost = useLostTopic(narrow)
  if (linked.status === 'coming' || linked.status === 'failed') return <LinkedComing linked={linked} />
  if (channelId !== undefined && !state.channels.has(channelId)) {
    return (
      <div class="messages-frame">
        <NotThere title={t.compose.unknownChannel} />
      </div>
    )
  }
  return (
    <>
      {linked.status === 'gone' && (
        <p class="messages-gone" role="status">
          {t.linked.gone}
        </p>
      )}
      <MessageList
        key={number}
        narrow={narrow}
        near={linked.near}
        isMarked={linked.status === 'here'}
        isLost={isLost}
      />
    </>
  )
}

/** What is pinned in the channel that is shown, or in its topic. */
function PinsHere({ narrow }: { readonly narrow: Narrow }) {
  const channelId = channelOfNarrow(narrow)
  const isPlace = narrow.every(({ operator }) => operator === 'channel' || operator === 'topic')
  if (channelId === undefined || !isPlace || !state.channels.has(channelId)) return null
  return <PinsOfChannel key={channelId} channelId={channelId} topic={topicOfNarrow(narrow)} />
}

function PinsOfChannel(place: { readonly channelId: number; readonly topic: string | undefined }) {
  return usePins(place.channelId).length === 0 ? null : <PinsBar {...place} />
}

function NotThere({ title }: { readonly title: string }) {
  return (
    <Empty title={title}>
      <p>
        <a class="button" href="#inbox">
          <Icon name="inbox" />
          {t.views.inbox}
        </a>
      </p>
    </Empty>
  )
}

/** The view of an address that names a message alone, until its conversation is known. */
function MessageAlone({ linked }: { readonly linked: Linked }) {
  return (
    <>
      <header class="view-head">
        <h1>{t.linked.title}</h1>
      </header>
      {linked.status === 'gone' ? <NotThere title={t.linked.gone} /> : <LinkedComing linked={linked} />}
    </>
  )
}

function LinkedComing({ linked: { status, retry } }: { readonly linked: Linked }) {
  return (
    <div class="messages-frame">
      {status === 'failed' ? (
        <Empty title={t.list.failed}>
          <Button onClick={retry}>{t.tryAgain}</Button>
        </Empty>
      ) : (
        <Loading label={t.loading} />
      )}
    </div>
  )
}

function ViewHead({ narrow }: { readonly narrow: Narrow }) {
  const channelId = channelOfNarrow(narrow)
  const topic = topicOfNarrow(narrow)
  if (
    channelId !== undefined &&
    narrow.every(({ operator }) => operator === 'channel' || operator === 'topic')
  ) {
    return <ChannelHead narrow={narrow} channelId={channelId} topic={topic} />
  }
  const conversation = conversationOfNarrow(narrow)
  const [anchor, setAnchor] = useState<Element>()
  const [icon, name] = headOf(narrow)
  const peers = conversation?.kind === 'direct' ? conversation.peers : []
  return (
    <header class="view-head">
      {peers.length === 1 ? (
        <Person id={peers[0]!} name={name} />
      ) : (
        <>
          <HeadSign>
            <Icon name={icon} />
          </HeadSign>
          <h1 class="one-line" dir="auto">
            {name}
          </h1>
        </>
      )}
      <span class="view-head-space" />
      {narrow.length === 0 && (
        <IconButton icon="read" label={t.conversation.markRead} onClick={() => attempt(markRead(narrow))} />
      )}
      {conversation && (
        <>
          <SearchHere narrow={narrow} />
          <MoreButton anchor={anchor} onOpen={setAnchor} />
        </>
      )}
      {anchor && (
        <DirectMenu narrow={narrow} peers={peers} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </header>
  )
}

interface MoreButtonProps {
  readonly anchor: Element | undefined
  readonly onOpen: (anchor: Element) => void
}

function MoreButton({ anchor, onOpen }: MoreButtonProps) {
  return (
    <IconButton
      icon="more"
      label={t.conversation.more}
      aria-haspopup="menu"
      aria-expanded={anchor !== undefined}
      onClick={(event) => onOpen(event.currentTarget as Element)}
    />
  )
}

function headOf(narrow: Narrow): [IconName, string] {
  if (narrow.length === 0) return ['feed', t.views.feed]
  const [term] = narrow
  if (narrow.length === 1 && term && !term.negated) {
    if (term.operator === 'dm') return [term.operand.length > 1 ? 'group' : 'direct', peerNames(term.operand)]
    if (term.operator === 'is') {
      switch (term.operand) {
        case 'mentioned':
          return ['at', t.views.mentions]
        case 'starred':
          return ['star', t.views.starred]
        case 'dm':
          return ['direct', t.views.direct]
      }
    }
  }
  return [isSearch(narrow) ? 'search' : 'feed', printSearch(state, narrow)]
}

function ChannelHead({
  narrow,
  channelId,
  topic,
}: {
  readonly narrow: Narrow
  readonly channelId: number
  readonly topic: string | undefined
}) {
  watch(`channel ${channelId}`, `topic policy ${channelId}`, 'me', 'group', 'organization')
  const [anchor, setAnchor] = useState<Element>()
  const channel = state.channels.get(channelId)
  const color = channel?.subscription?.color
  const resolution =
    topic !== undefined && channel && mayResolve(state, channel, topic)
      ? t.conversation[isResolved(topic) ? 'unresolve' : 'resolve']
      : undefined
  const policy = topic === undefined ? TOPIC_POLICY.none : topicPolicy(state, channelId, topic)
  return (
    <header class="view-head">
      <HeadSign>
        <span class="channel-edge" style={{ background: color }} />
        <ChannelIcon channel={channel} />
      </HeadSign>
      <h1 class="view-head-title">
        {topic === undefined ? (
          <span class="one-line" dir="auto">
            {channelName(channelId)}
          </span>
        ) : (
          <>
            <a class="one-line view-head-up" dir="auto" href={hrefOf(channelNarrow(channelId))}>
              {channelName(channelId)}
            </a>
            <Icon name="within" />
            <span class="one-line" dir="auto">
              {topicName(topic)}
            </span>
            {policy === TOPIC_POLICY.muted && (
              <span class="view-head-policy" role="img" aria-label={t.muted}>
                <Icon name="muted" />
              </span>
            )}
          </>
        )}
      </h1>
      {topic === undefined && channel && (
        <HtmlText class="view-head-about one-line" html={channel.rendered_description} />
      )}
      <span class="view-head-space" />
      <Members channelId={channelId} />
      {topic !== undefined && channel?.subscription && <FollowButton channelId={channelId} topic={topic} />}
      {channel && !channel.subscription && maySubscribe(state, channel) && (
        <button
          type="button"
          class="button button-main view-head-word"
          onClick={() => attempt(subscribe(channel.name))}
        >
          <Icon name="join" />
          {t.channels.join}
        </button>
      )}
      {resolution !== undefined && (
        <button
          type="button"
          class="button view-head-word"
          onClick={() => attempt(toggleTopic(channelId, topic!))}
        >
          <Icon name="resolve" />
          {resolution}
        </button>
      )}
      <SearchHere narrow={narrow} />
      <MoreButton anchor={anchor} onOpen={setAnchor} />
      {anchor && (
        <ChannelMenu
          narrow={narrow}
          channelId={channelId}
          topic={topic}
          anchor={anchor}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </header>
  )
}
