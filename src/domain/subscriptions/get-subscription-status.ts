import type { ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireChannelMetadata } from '../../permissions/channel-rules.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import type { Caller } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { findUser } from '../users/user-rows.ts'
import { seesUser } from '../users/visibility/visible-users.ts'
import { isSubscribed } from './subscriber-rows.ts'

export interface GetSubscriptionStatusParams {
  readonly user_id: number
  readonly stream_id: number
}

/**
 * Says whether a user is subscribed. The caller must see both. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getSubscriptionStatus: ReadCommand<
  Caller,
  GetSubscriptionStatusParams,
  void,
  { is_subscribed: boolean }
> = {
  reads: true,
  apply(tx, caller, { user_id, stream_id }) {
    const user = findUser(tx.sql, user_id)
    if (!user || user.isSystemBot) throw new BadRequestError('No such user')
    if (!seesUser(tx, caller, user)) throw insufficientPermission()
    const channel = findChannel(tx.sql, stream_id)
    requireChannelMetadata(caller.actor, channel, isSubscribed(tx.sql, stream_id, caller.user.id))
    return { is_subscribed: isSubscribed(tx.sql, stream_id, user_id) }
  },
}
