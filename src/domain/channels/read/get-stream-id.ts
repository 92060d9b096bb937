import type { ReadCommand } from '../../../core/command.ts'
import { invalidChannelName, requireChannelMetadata } from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import { isSubscribed } from '../../subscriptions/subscriber-rows.ts'
import { findChannelByName } from '../channel-rows.ts'

/** Gets the id of a channel, by name. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamId: ReadCommand<Caller, { readonly stream: string }, void, { stream_id: number }> = {
  reads: true,
  apply(tx, { user, actor }, { stream }) {
    const channel = findChannelByName(tx.sql, stream)
    const subscribed = channel !== undefined && isSubscribed(tx.sql, channel.id, user.id)
    return { stream_id: requireChannelMetadata(actor, channel, subscribed, invalidChannelName(stream)).id }
  },
}
