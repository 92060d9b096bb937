import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { VALUE_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textOrJson, textUpTo, valueUpTo, word } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { changeSetting, requireValidChange, type SubscriptionChange } from './update-subscription-settings.ts'

/** A colour may come without JSON quotes (docs/decisions/interface.md#conventions). */
const bareTextOrJson = v.pipe(
  textOrJson(valueUpTo(VALUE_LENGTH, v.union([v.boolean(), textUpTo(VALUE_LENGTH)]))),
  v.transform((value): NonNullable<unknown> | null => value ?? null),
)

/**
 * Changes one setting of one channel, in the older form. Source:
 * docs/interface/subscriptions.md#settings-of-a-subscription.
 */
export const updateSubscriptionPropertyEndpoint = defineEndpoint({
  operation: 'update-subscription-property',
  method: 'PATCH',
  path: '/users/me/subscriptions/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger, property: word, value: bareTextOrJson },
  returns: v.object({}),
  command: { apply: updateSubscriptionProperty },
  audit: 'own',
})

function updateSubscriptionProperty(
  tx: RealmTransaction,
  caller: Caller,
  change: SubscriptionChange,
): object {
  changeSetting(tx, caller, requireValidChange(change))
  return {}
}
