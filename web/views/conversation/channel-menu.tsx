import { Files } from 'lucide'
import { useState } from 'preact/hooks'
import { choosePolicy, setOwnChannelSetting, subscribe } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { names } from '../../navigation.ts'
import { printAddress } from '../../state/addresses.ts'
import { isResolved } from '../../state/conversation.ts'
import { mayDeleteTopic, mayMoveToTopic, mayResolve } from '../../state/message-permissions.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { QuestionDialog } from '../../ui/question.tsx'
import { attempt } from '../announcement.tsx'
import { PinTopicItem } from '../pins/pin-items.tsx'
import { now } from '../preferences.ts'
import { leave, leaveQuestion, markRead, toggleTopic } from '../undoable.ts'

const RenameTopic = onDemand(() => import('./rename-topic.tsx').then(({ RenameTopic: dialog }) => dialog))
const DeleteTopic = onDemand(() => import('./delete-topic.tsx').then(({ DeleteTopic: dialog }) => dialog))

interface ChannelMenuProps {
  readonly narrow: Narrow
  readonly channelId: number
  readonly topic: string | undefined
  readonly anchor: Element
  readonly onClose: () => void
}

const POLICIES = [TOPIC_POLICY.none, TOPIC_POLICY.followed, TOPIC_POLICY.unmuted, TOPIC_POLICY.muted] as const
const POLICY_ICONS: Readonly<Record<number, IconName>> = { 0: 'bell', 1: 'muted', 2: 'unmuted', 3: 'follow' }

/** The actions on a channel or a topic in its heading, and the dialogs that some of them open. */
export function ChannelMenu({ narrow, channelId, topic, anchor, onClose }: ChannelMenuProps) {
  watch(`channel ${channelId}`, `topic policy ${channelId}`, 'me', 'group', 'organization')
  const [asked, setAsked] = useState<'rename' | 'delete' | 'leave'>()
  const channel = state.channels.get(channelId)
  const question = channel && leaveQuestion(channel)
  if (asked === 'leave' && channel && question) {
    return (
      <QuestionDialog
        question={question}
        button={t.channels.leave}
        onAct={() => attempt(leave(channel)).then(() => undefined)}
        onClose={onClose}
      />
    )
  }
  if (asked === 'rename') return <RenameTopic channelId={channelId} topic={topic ?? ''} onClose={onClose} />
  if (asked === 'delete') return <DeleteTopic channelId={channelId} topic={topic ?? ''} onClose={onClose} />
  const policy = topic === undefined ? TOPIC_POLICY.none : topicPolicy(state, channelId, topic)
  // A menu closes after a choice; the question about it comes in its place.
  let isAsking = false
  const ask = (what: 'rename' | 'delete' | 'leave') => () => {
    isAsking = true
    setAsked(what)
  }
  return (
    <Menu anchor={anchor} align="end" label={t.conversation.more} onClose={() => isAsking || onClose()}>
      {topic !== undefined && channel?.subscription && (
        <>
          {POLICIES.map((value) => (
            <MenuItem
              key={value}
              icon={POLICY_ICONS[value]}
              checked={policy === value}
              onClick={() => attempt(choosePolicy(channelId, topic, value))}
            >
              {t.policies[value]}
            </MenuItem>
          ))}
          <MenuLine />
        </>
      )}
      {topic !== undefined && channel && mayResolve(state, channel, topic) && (
        <MenuItem icon="resolve" onClick={() => attempt(toggleTopic(channelId, topic))}>
          {isResolved(topic) ? t.conversation.unresolve : t.conversation.resolve}
        </MenuItem>
      )}
      {topic !== undefined && channel && <PinTopicItem channel={channel} topic={topic} />}
      {topic !== undefined && mayRename(narrow) && (
        <MenuItem icon="edit" onClick={ask('rename')}>
          {t.conversation.rename}
        </MenuItem>
      )}
      <MenuItem icon="read" onClick={() => attempt(markRead(narrow))}>
        {t.conversation.markRead}
      </MenuItem>
      <MenuItem icon={Files} href={printAddress({ view: 'files', narrow }, names)}>
        {t.views.files}
      </MenuItem>
      {channel && (
        <MenuItem icon="gear" href={`#channels/${channelId}`}>
          {t.conversation.channelSettings}
        </MenuItem>
      )}
      {topic === undefined && channel?.subscription && (
        <>
          <MenuItem
            icon={channel.subscription.is_muted ? 'unmuted' : 'muted'}
            onClick={() =>
              attempt(setOwnChannelSetting(channelId, 'is_muted', !channel.subscription?.is_muted))
            }
          >
            {channel.subscription.is_muted ? t.conversation.unmuteChannel : t.conversation.muteChannel}
          </MenuItem>
          <MenuItem
            icon="pin"
            onClick={() =>
              attempt(setOwnChannelSetting(channelId, 'pin_to_top', !channel.subscription?.pin_to_top))
            }
          >
            {channel.subscription.pin_to_top ? t.conversation.unpinChannel : t.conversation.pinChannel}
          </MenuItem>
          <MenuLine />
          <MenuItem icon="leave" onClick={question ? ask('leave') : () => attempt(leave(channel))}>
            {t.conversation.unsubscribe}
          </MenuItem>
        </>
      )}
      {channel && !channel.subscription && (
        <MenuItem icon="join" onClick={() => attempt(subscribe(channel.name))}>
          {t.conversation.subscribe}
        </MenuItem>
      )}
      {topic !== undefined && channel && mayDeleteTopic(state, channel) && (
        <>
          <MenuLine />
          <MenuItem icon="trash" danger onClick={ask('delete')}>
            {t.conversation.deleteTopic}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Whether the user may rename a topic, judged by its loaded messages. */
function mayRename(narrow: Narrow): boolean {
  const ids = state.windows.get(narrowKey(narrow))?.ids ?? []
  const newest = state.messages.get(ids.at(-1) ?? 0)
  return newest !== undefined && mayMoveToTopic(state, newest, now.value)
}
