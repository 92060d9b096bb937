import type { Channel } from '../../channels/channel-rows.ts'
import type { User } from '../../users/user-rows.ts'

/** Returns `@_**Full Name|id**`: shown as a mention that notifies nobody. */
export function silentMention(user: Pick<User, 'id' | 'fullName'>): string {
  return `@_**${user.fullName}|${user.id}**`
}

export function channelLink(channel: Pick<Channel, 'name'>): string {
  return `#**${channel.name}**`
}
