import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'

/** Lists active users and bots in a channel, ascending. Source: docs/interface/channels.md#get-a-channel. */
export const getSubscribersEndpoint = defineEndpoint({
  operation: 'get-subscribers',
  method: 'GET',
  path: '/streams/:stream_id/members',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ subscribers: v.array(v.number()) }),
  command: { reads: true, apply: getSubscribers },
  largeAnswer: true,
})

function getSubscribers(
  tx: RealmReads,
  caller: Caller,
  { stream_id }: { readonly stream_id: number },
): { subscribers: number[] } {
  const channel = requireVisibleChannel(tx.sql, caller, stream_id)
  return { subscribers: openSubscribersOf(tx.sql, channel.id).toArray() }
}
