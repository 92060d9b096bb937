import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, wordOrJson } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { subscriptionEntries } from '../../events/subscription.ts'
import type { Caller } from '../../model/caller.ts'
import { visibleChannels } from '../../model/channels/visibility/find-for-caller.ts'
import {
  type PresentedSubscription,
  presentSubscription,
} from '../../model/subscriptions/present-subscription.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'

/** Lists the caller's subscriptions, by name. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getSubscriptionsEndpoint = defineEndpoint({
  operation: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  access: 'user',
  params: {
    include_subscribers: v.optional(wordOrJson(['partial'], v.boolean()), 'false'),
    include_archived_channels: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({ subscriptions: v.array(v.object(subscriptionEntries)) }),
  command: { reads: true, apply: getSubscriptions },
  largeAnswer: true,
})

interface GetSubscriptionsParams {
  /** `partial` may always be answered in full (docs/decisions/interface.md#records). */
  readonly include_subscribers: boolean | 'partial'
  readonly include_archived_channels: boolean
}

function getSubscriptions(
  tx: RealmReads,
  caller: Caller,
  params: GetSubscriptionsParams,
): { subscriptions: PresentedSubscription[] } {
  const wanted = visibleChannels(tx, caller).filter(
    ({ channel, subscription }) =>
      subscription?.isActive && (params.include_archived_channels || !channel.isArchived),
  )
  return {
    subscriptions: wanted.map(({ channel, presented, subscription }) =>
      presentSubscription(
        presented,
        subscription!,
        params.include_subscribers ? openSubscribersOf(tx.sql, channel.id).toArray() : undefined,
      ),
    ),
  }
}
