import type { ReadCommand } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { openSubscribersOf } from '../../subscriptions/subscriber-rows.ts'
import { requireVisibleChannel } from '../visibility/find-for-caller.ts'
import { type PresentedChannel, presentChannel } from './present-channel.ts'

/** Gets one channel; archived ones too. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamById: ReadCommand<
  Caller,
  { readonly stream_id: number },
  void,
  { stream: PresentedChannel }
> = {
  reads: true,
  apply(tx, caller, { stream_id }) {
    const channel = requireVisibleChannel(tx.sql, caller, stream_id)
    const subscriberCount = openSubscribersOf(tx.sql, channel.id).size
    return { stream: presentChannel(tx.sql, channel, { subscriberCount }) }
  },
}
