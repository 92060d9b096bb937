import { useState } from 'preact/hooks'
import { choosePolicy, setOwnChannelSetting } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf, wholeAddress } from '../../navigation.ts'
import type { Channel } from '../../state/chat-state.ts'
import { isResolved } from '../../state/conversation.ts'
import { mayResolve } from '../../state/message-permissions.ts'
import { channelOfNarrow, conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { QuestionDialog } from '../../ui/question.tsx'
import { announce, attempt } from '../announcement.tsx'
import { PinTopicItem } from '../pins/pin-items.tsx'
import { leave, leaveQuestion, markRead, toggleTopic } from '../undoable.ts'
import { conversationName } from '../words.ts'
import { stepChannel } from './channel-order.ts'
import { channelOrder } from './sidebar-state.ts'

interface RowMenuProps {
  readonly narrow: Narrow
  /** For a channel, the ids of its section in their order. */
  readonly section: readonly number[] | undefined
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
}

/** The actions on a channel, a topic or a direct conversation in its row. */
export function RowMenu({ narrow, section, anchor, onClose }: RowMenuProps) {
  watch('channel', 'topic policy')
  const [leaving, setLeaving] = useState<Channel>()
  const channelId = channelOfNarrow(narrow)
  const channel = channelId === undefined ? undefined : state.channels.get(channelId)
  const conversation = conversationOfNarrow(narrow)
  const name = conversation ? conversationName(conversation) : `#${channel?.name ?? ''}`
  if (leaving) {
    return (
      <QuestionDialog
        question={leaveQuestion(leaving)!}
        button={t.channels.leave}
        onAct={() => attempt(leave(leaving)).then(() => undefined)}
        onClose={onClose}
      />
    )
  }
  // A menu closes after a choice; a question about it comes then.
  const onLeave = (left: Channel) => (leaveQuestion(left) ? setLeaving(left) : void attempt(leave(left)))
  let isLeaving = false
  return (
    <Menu anchor={anchor} label={t.sidebar.more(name)} onClose={() => isLeaving || onClose()}>
      <MenuItem icon="read" onClick={() => attempt(markRead(narrow))}>
        {t.sidebar.markRead}
      </MenuItem>
      <MenuItem
        icon="link"
        onClick={async () => {
          await navigator.clipboard.writeText(wholeAddress(hrefOf(narrow)))
          announce(t.message.linkCopied)
        }}
      >
        {t.message.copyLink}
      </MenuItem>
      {conversation?.kind === 'direct' && conversation.peers.length === 1 && (
        <MenuItem icon="person" href={`#user/${conversation.peers[0]}`}>
          {t.sidebar.profile}
        </MenuItem>
      )}
      {conversation?.kind === 'topic' && channel && (
        <TopicItems channel={channel} topic={conversation.topic} />
      )}
      {!conversation && channel && (
        <>
          <ChannelItems channel={channel} />
          {section && channelOrder.value === 'hand' && <MoveItems section={section} id={channel.stream_id} />}
          <MenuLine />
          <MenuItem
            icon="leave"
            onClick={() => {
              isLeaving = leaveQuestion(channel) !== undefined
              onLeave(channel)
            }}
          >
            {t.conversation.unsubscribe}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** What dragging does, and Alt with an arrow. */
function MoveItems({ section, id }: { readonly section: readonly number[]; readonly id: number }) {
  const at = section.indexOf(id)
  return (
    <>
      {at > 0 && <MenuItem onClick={() => stepChannel(section, id, -1)}>{t.sidebar.moveUp}</MenuItem>}
      {at < section.length - 1 && (
        <MenuItem onClick={() => stepChannel(section, id, 1)}>{t.sidebar.moveDown}</MenuItem>
      )}
    </>
  )
}

function TopicItems({ channel, topic }: { readonly channel: Channel; readonly topic: string }) {
  const { stream_id: id } = channel
  const policy = topicPolicy(state, id, topic)
  const isFollowed = policy === TOPIC_POLICY.followed
  const isMuted = policy === TOPIC_POLICY.muted
  const choose = (value: number) => () => attempt(choosePolicy(id, topic, value))
  return (
    <>
      {mayResolve(state, channel, topic) && (
        <MenuItem icon="resolve" onClick={() => attempt(toggleTopic(id, topic))}>
          {isResolved(topic) ? t.conversation.unresolve : t.conversation.resolve}
        </MenuItem>
      )}
      <PinTopicItem channel={channel} topic={topic} />
      {channel.subscription && (
        <>
          <MenuLine />
          <MenuItem
            icon="follow"
            checked={isFollowed}
            onClick={choose(isFollowed ? TOPIC_POLICY.none : TOPIC_POLICY.followed)}
          >
            {t.policies[TOPIC_POLICY.followed]}
          </MenuItem>
          <MenuItem
            icon="muted"
            checked={isMuted}
            onClick={choose(isMuted ? TOPIC_POLICY.none : TOPIC_POLICY.muted)}
          >
            {t.policies[TOPIC_POLICY.muted]}
          </MenuItem>
        </>
      )}
    </>
  )
}

function ChannelItems({ channel: { stream_id: id, subscription } }: { readonly channel: Channel }) {
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) => () =>
    attempt(setOwnChannelSetting(id, property, value))
  return (
    <>
      <MenuItem icon="gear" href={`#channels/${id}`}>
        {t.conversation.channelSettings}
      </MenuItem>
      {subscription && (
        <>
          <MenuItem
            icon={subscription.is_muted ? 'unmuted' : 'muted'}
            onClick={set('is_muted', !subscription.is_muted)}
          >
            {subscription.is_muted ? t.conversation.unmuteChannel : t.conversation.muteChannel}
          </MenuItem>
          <MenuItem icon="pin" onClick={set('pin_to_top', !subscription.pin_to_top)}>
            {subscription.pin_to_top ? t.conversation.unpinChannel : t.conversation.pinChannel}
          </MenuItem>
        </>
      )}
    </>
  )
}
