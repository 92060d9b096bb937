import { changeSettings, choosePolicy, setOwnChannelSetting } from '../../actions/personal.ts'
import { endSession } from '../../actions/session.ts'
import { setWholeStatus } from '../../actions/status.ts'
import { state } from '../../chat.ts'
import { address, hrefOf, wholeAddress } from '../../navigation.ts'
import { quiet, setQuiet } from '../../notifications/quiet.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import type { Channel } from '../../state/chat-state.ts'
import { isResolved } from '../../state/conversation.ts'
import { mayResolve } from '../../state/message-permissions.ts'
import { COMBINED_FEED, channelOfNarrow, conversationOfNarrow } from '../../state/narrow.ts'
import { maySeeInvitations } from '../../state/people-permissions.ts'
import { endOfPause } from '../../state/quiet.ts'
import { TOPIC_POLICY, topicPolicy } from '../../state/topics.ts'
import { unreadIdsIn } from '../../state/unread.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { announce, attempt } from '../announcement.tsx'
import { composeToChannel, composeToPeople } from '../compose/compose-state.ts'
import { isHelpOpen, ownDialog, togglePeople } from '../preferences.ts'
import { markRead, toggleTopic } from '../undoable.ts'

/** The actions and destinations in the list of Ctrl+K. */
export interface Action {
  readonly key: string
  readonly icon: IconName
  readonly name: string
  /** The kind, if the name does not say it. */
  readonly note?: string
  /** Other names by which it is found. */
  readonly aliases?: readonly string[]
  /** The usual key that does the same. */
  readonly hint?: string
  readonly go: () => void
}

export function follow(href: string): () => void {
  return () => {
    location.hash = href
  }
}

/** The actions on the open view. */
export function actionsHere(): Action[] {
  const shown = address.value
  if (shown.view !== 'narrow') return []
  const { narrow } = shown
  const conversation = conversationOfNarrow(narrow)
  const channelId = channelOfNarrow(narrow)
  const channel = channelId === undefined ? undefined : state.channels.get(channelId)
  const actions: Action[] = []
  if (narrow.length > 0 && unreadIdsIn(state, narrow).length > 0) {
    const go = () => void attempt(markRead(narrow))
    actions.push({
      key: 'read here',
      icon: 'read',
      name: f.palette.markReadHere,
      aliases: [t.sidebar.markRead],
      go,
    })
  }
  actions.push({
    key: 'copy link',
    icon: 'link',
    name: f.palette.copyLink,
    go: async () => {
      await navigator.clipboard.writeText(wholeAddress(hrefOf(narrow)))
      announce(t.message.linkCopied)
    },
  })
  if (channel && conversation?.kind === 'topic') actions.push(...actionsOfTopic(channel, conversation.topic))
  if (channel) actions.push(...actionsOfChannel(channel))
  return actions
}

function actionsOfTopic(channel: Channel, topic: string): Action[] {
  const { stream_id: id, subscription } = channel
  const policy = topicPolicy(state, id, topic)
  const { followed, muted, none } = TOPIC_POLICY
  const choose = (value: number) => () => void attempt(choosePolicy(id, topic, value))
  const actions: Action[] = []
  if (mayResolve(state, channel, topic)) {
    actions.push({
      key: 'resolve',
      icon: 'resolve',
      name: isResolved(topic) ? t.conversation.unresolve : t.conversation.resolve,
      go: () => void attempt(toggleTopic(id, topic)),
    })
  }
  if (!subscription) return actions
  return [
    ...actions,
    {
      key: 'follow',
      icon: 'follow',
      name: policy === followed ? f.palette.unfollowTopic : f.palette.followTopic,
      go: choose(policy === followed ? none : followed),
    },
    {
      key: 'mute topic',
      icon: 'muted',
      name: policy === muted ? f.palette.unmuteTopic : f.palette.muteTopic,
      go: choose(policy === muted ? none : muted),
    },
  ]
}

function actionsOfChannel({ stream_id: id, subscription }: Channel): Action[] {
  const settings: Action = {
    key: 'channel settings',
    icon: 'gear',
    name: t.conversation.channelSettings,
    go: follow(`#channels/${id}`),
  }
  if (!subscription) return [settings]
  const { is_muted, pin_to_top } = subscription
  return [
    {
      key: 'mute channel',
      icon: is_muted ? 'unmuted' : 'muted',
      name: is_muted ? t.conversation.unmuteChannel : t.conversation.muteChannel,
      go: () => void attempt(setOwnChannelSetting(id, 'is_muted', !is_muted)),
    },
    {
      key: 'pin channel',
      icon: 'pin',
      name: pin_to_top ? t.conversation.unpinChannel : t.conversation.pinChannel,
      go: () => void attempt(setOwnChannelSetting(id, 'pin_to_top', !pin_to_top)),
    },
    settings,
  ]
}

/** The actions that are possible anywhere. */
export function actionsAnywhere(): Action[] {
  const openHelp = () => {
    isHelpOpen.value = true
  }
  return [
    { key: 'write', icon: 'compose', name: t.sidebar.newMessage, hint: 'c', go: composeToChannel },
    { key: 'write to people', icon: 'compose', name: t.sidebar.newDirect, hint: 'x', go: composeToPeople },
    {
      key: 'read all',
      icon: 'read',
      name: t.conversation.markRead,
      aliases: [f.palette.markEverything],
      go: () => void attempt(markRead(COMBINED_FEED)),
    },
    ...aboutOneself(),
    ...(mayCreateChannel(state, 'public') || mayCreateChannel(state, 'private')
      ? [{ key: 'new channel', icon: 'plus' as const, name: t.channels.create, go: follow('#channels/new') }]
      : []),
    { key: 'channels', icon: 'hash', name: t.sidebar.allChannels, go: follow('#channels/all') },
    ...(maySeeInvitations(state)
      ? [
          {
            key: 'invite',
            icon: 'invite' as const,
            name: t.invite,
            go: follow('#organization/invitations'),
          },
        ]
      : []),
    { key: 'files', icon: 'attach', name: t.views.files, go: follow('#files/has/attachment') },
    { key: 'scheduled', icon: 'later', name: f.palette.scheduled, go: follow('#scheduled') },
    { key: 'reminders', icon: 'alarm', name: f.palette.reminders, go: follow('#reminders') },
    { key: 'people column', icon: 'people', name: f.palette.togglePeople, go: togglePeople },
    { key: 'help', icon: 'keyboard', name: t.help.title, hint: '?', go: openHelp },
    ...looks(),
    {
      key: 'log out',
      icon: 'logOut',
      name: t.ownMenu.logOut,
      aliases: [f.palette.signOut],
      go: () => void attempt(endSession()),
    },
  ]
}

function aboutOneself(): Action[] {
  const { status_text, emoji_code } = state.statuses.get(state.me) ?? {}
  const hasStatus = Boolean(status_text || emoji_code)
  const isVisible = state.settings.presence_enabled
  const isPaused = quiet.value.until > Date.now()
  const open = (dialog: 'status' | 'quiet') => () => {
    ownDialog.value = dialog
  }
  return [
    {
      key: 'status',
      icon: 'status',
      name: hasStatus ? f.status.edit : f.status.set,
      aliases: [f.status.set],
      go: open('status'),
    },
    ...(hasStatus
      ? [
          {
            key: 'clear status',
            icon: 'status' as const,
            name: f.status.clear,
            go: () => void attempt(setWholeStatus('', undefined)),
          },
        ]
      : []),
    {
      key: 'presence',
      icon: 'invisible',
      name: isVisible ? f.goInvisible : f.goVisible,
      go: () => void attempt(changeSettings({ presence_enabled: !isVisible })),
    },
    isPaused
      ? {
          key: 'resume notifications',
          icon: 'bell',
          name: f.quiet.resume,
          go: () => setQuiet({ until: 0 }),
        }
      : {
          key: 'pause notifications',
          icon: 'snooze',
          name: f.palette.pause,
          go: () => setQuiet({ until: endOfPause('hour', new Date()) }),
        },
    { key: 'quiet', icon: 'snooze', name: f.quiet.schedule, go: open('quiet') },
    {
      key: 'own messages',
      icon: 'byPerson',
      name: t.ownMenu.ownMessages,
      go: follow(hrefOf([{ operator: 'sender', operand: state.me }])),
    },
  ]
}

function looks(): Action[] {
  const scheme = (value: number) => () => void attempt(changeSettings({ color_scheme: value }))
  const aliases = [f.palette.theme]
  return [
    { key: 'light', icon: 'sun', name: t.goTo.schemes[3], aliases, go: scheme(3) },
    { key: 'dark', icon: 'moon', name: t.goTo.schemes[2], aliases, go: scheme(2) },
    { key: 'system', icon: 'system', name: t.goTo.schemes[1], aliases, go: scheme(1) },
  ]
}
