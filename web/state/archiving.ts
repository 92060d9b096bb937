import type { Channel, ChatState } from './chat-state.ts'

/** What unarchiving a channel does not bring back. `way`: there is none back, since nobody is in the private channel. */
export type ArchivingLoss = 'joined' | 'offered' | 'notices' | 'way'

/** Settings of the organization that name a channel. */
const NAMING = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

/** Returns what is lost when the channel is archived: nothing of it comes back when it is unarchived. */
export function lostByArchiving(state: ChatState, channel: Channel): ArchivingLoss[] {
  const { stream_id, invite_only, subscriber_count } = channel
  const isLost = {
    joined: state.defaultChannels.includes(stream_id),
    offered: state.offeredChannels.has(stream_id),
    notices: NAMING.some((name) => state.organization[name] === stream_id),
    way: invite_only && subscriber_count === 0,
  }
  return (['joined', 'offered', 'notices', 'way'] as const).filter((one) => isLost[one])
}
