import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { channelEntries } from '../../events/stream.ts'
import type { Caller } from '../../model/caller.ts'
import { type PresentedChannel, presentChannel } from '../../model/channels/read/present-channel.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'

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
