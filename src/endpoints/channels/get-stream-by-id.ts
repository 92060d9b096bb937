import * as v from 'valibot'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { type PresentedChannel, presentChannel } from '../../domain/channels/read/present-channel.ts'
import { requireVisibleChannel } from '../../domain/channels/visibility/find-for-caller.ts'
import { openSubscribersOf } from '../../domain/subscriptions/subscriber-rows.ts'
import { channelEntries } from '../../events/stream.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Gets one channel; archived ones too. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamByIdEndpoint = defineEndpoint({
  operation: 'get-stream-by-id',
  method: 'GET',
  path: '/streams/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ stream: v.object(channelEntries) }),
  command: { reads: true, apply: getStreamById },
})

function getStreamById(
  tx: RealmReads,
  caller: Caller,
  { stream_id }: { readonly stream_id: number },
): { stream: PresentedChannel } {
  const channel = requireVisibleChannel(tx.sql, caller, stream_id)
  const subscriberCount = openSubscribersOf(tx.sql, channel.id).size
  return { stream: presentChannel(tx.sql, channel, { subscriberCount }) }
}
