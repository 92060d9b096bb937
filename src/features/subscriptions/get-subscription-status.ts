import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { seesUser } from '../../model/users/visibility/visible-users.ts'
import { requireChannelMetadata } from '../../rules/channel-rules.ts'
import { insufficientPermission } from '../../rules/role-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

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
