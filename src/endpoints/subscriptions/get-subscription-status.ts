import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { findChannel } from '../../domain/channels/channel-rows.ts'
import { isSubscribed } from '../../domain/subscriptions/subscriber-rows.ts'
import { findUser } from '../../domain/users/user-rows.ts'
import { seesUser } from '../../domain/users/visibility/visible-users.ts'
import { requireChannelMetadata } from '../../permissions/channel-rules.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/**
 * Says whether a user is subscribed. The caller must see both. Source:
 * docs/interface/subscriptions.md#list-ones-channels.
 */
export const getSubscriptionStatusEndpoint = defineEndpoint({
  operation: 'get-subscription-status',
  method: 'GET',
  path: '/users/:user_id/subscriptions/:stream_id',
  access: 'user',
  params: { user_id: pathInteger, stream_id: pathInteger },
  returns: v.object({ is_subscribed: v.boolean() }),
  command: { reads: true, apply: getSubscriptionStatus },
})

interface GetSubscriptionStatusParams {
  readonly user_id: number
  readonly stream_id: number
}

function getSubscriptionStatus(
  tx: RealmReads,
  caller: Caller,
  { user_id, stream_id }: GetSubscriptionStatusParams,
): { is_subscribed: boolean } {
  const user = findUser(tx.sql, user_id)
  if (!user || user.isSystemBot) throw new BadRequestError('No such user')
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  const channel = findChannel(tx.sql, stream_id)
  requireChannelMetadata(caller.actor, channel, isSubscribed(tx.sql, stream_id, caller.user.id))
  return { is_subscribed: isSubscribed(tx.sql, stream_id, user_id) }
}
