import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { requireMayPostIn } from '../messages/resolve-destination.ts'
import { requireReadableChannel } from './find-for-caller.ts'

/**
 * The address at which a channel takes mail. This server takes none, and says so to whoever may post:
 * an address that leads nowhere would lose what is sent to it. Source: core-endpoints 10.
 */
export const getStreamEmailAddress: Command<Caller, { readonly stream_id: number }, void, never> = {
  apply(tx, caller, { stream_id }) {
    requireMayPostIn(tx, caller, requireReadableChannel(tx.sql, caller, stream_id))
    throw new BadRequestError('Channels cannot be written to by email on this server.')
  },
}
