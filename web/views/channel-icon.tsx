import type { Channel } from '../state/chat-state.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

/**
 * Returns the sign of a channel, which says who can read it. It stands before the name where channels are listed or head something; in
 * sentences, choices and titles a `#` does.
 */
export function iconOfChannel(channel: Pick<Channel, 'invite_only' | 'is_web_public'> | undefined): IconName {
  if (channel?.invite_only) return 'lock'
  return channel?.is_web_public ? 'globe' : 'hash'
}

export function ChannelIcon({ channel }: { readonly channel: Channel | undefined }) {
  return <Icon name={iconOfChannel(channel)} />
}
