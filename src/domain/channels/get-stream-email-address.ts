import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireMayPostIn } from '../messages/resolve-destination.ts'
import { requireReadableChannel } from './find-for-caller.ts'

/**
 * The address at which a channel takes mail: '', since this server takes none, and an address that leads nowhere would lose
 * what is sent to it. Asked by whoever may post. Source: core-endpoints 10.
 */
export const getStreamEmailAddress: Command<
  Caller,
  { readonly stream_id: number },
  void,
  { readonly email: string }
> = {
  apply(tx, caller, { stream_id }) {
    requireMayPostIn(tx, caller, requireReadableChannel(tx.sql, caller, stream_id))
    return { email: '' }
  },
}
