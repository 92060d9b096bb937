import type { Channel } from '../../channels/channel-rows.ts'
import type { User } from '../../users/user-rows.ts'

/** `@_**Full Name|id**`: shown as a mention, calling nobody. */
export function silentMention(user: Pick<User, 'id' | 'fullName'>): string {
  return `@_**${user.fullName}|${user.id}**`
}

export function channelLink(channel: Pick<Channel, 'name'>): string {
  return `#**${channel.name}**`
}
