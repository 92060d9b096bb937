import * as v from 'valibot'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { findChannelByName } from '../../domain/channels/channel-rows.ts'
import { isSubscribed } from '../../domain/subscriptions/subscriber-rows.ts'
import { invalidChannelName, requireChannelMetadata } from '../../permissions/channel-rules.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

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
