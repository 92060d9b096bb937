import type { Channel, ChatState } from './chat-state.ts'

/** The losses that unarchiving a channel does not undo. `way`: it cannot be unarchived, since nobody is in the private channel. */
export type ArchivingLoss = 'joined' | 'offered' | 'notices' | 'way'

/** Settings of the organization that name a channel. */
const NAMING = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

/** Returns what archiving the channel loses for good. */
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
