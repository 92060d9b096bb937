import type { ReadCommand } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { openSubscribersOf } from '../../subscriptions/subscriber-rows.ts'
import { requireVisibleChannel } from '../visibility/find-for-caller.ts'

/** Lists active users and bots in a channel, ascending. Source: docs/interface/channels.md#get-a-channel. */
export const getSubscribers: ReadCommand<
  Caller,
  { readonly stream_id: number },
  void,
  { subscribers: number[] }
> = {
  reads: true,
  apply(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    return { subscribers: openSubscribersOf(tx.sql, channel.id).toArray() }
  },
}
