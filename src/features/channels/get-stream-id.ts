import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { invalidChannelName, requireChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannelByName } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'

/** Gets the id of a channel, by name. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamIdEndpoint = defineEndpoint({
  operation: 'get-stream-id',
  method: 'GET',
  path: '/get_stream_id',
  access: 'user',
  params: { stream: textUpTo(NAME_LENGTH) },
  returns: v.object({ stream_id: v.number() }),
  command: { reads: true, apply: getStreamId },
})

function getStreamId(
  tx: RealmReads,
  { user, actor }: Caller,
  { stream }: { readonly stream: string },
): { stream_id: number } {
  const channel = findChannelByName(tx.sql, stream)
  const subscribed = channel !== undefined && isSubscribed(tx.sql, channel.id, user.id)
  return { stream_id: requireChannelMetadata(actor, channel, subscribed, invalidChannelName(stream)).id }
}
