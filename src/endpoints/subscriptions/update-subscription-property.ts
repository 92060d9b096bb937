import * as v from 'valibot'
import { updateSubscriptionProperty } from '../../domain/subscriptions/update-subscription-property.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { VALUE_LENGTH } from '../input-limits.ts'
import { pathInteger, textOrJson, textUpTo, valueUpTo, word } from '../parameter-types.ts'

/** A colour may come without JSON quotes (docs/decisions/interface.md#conventions). */
const bareTextOrJson = v.pipe(
  textOrJson(valueUpTo(VALUE_LENGTH, v.union([v.boolean(), textUpTo(VALUE_LENGTH)]))),
  v.transform((value): NonNullable<unknown> | null => value ?? null),
)

/**
 * Changes one personal setting of one channel. Source:
 * docs/interface/subscriptions.md#settings-of-a-subscription.
 */
export const updateSubscriptionPropertyEndpoint = defineEndpoint({
  operation: 'update-subscription-property',
  method: 'PATCH',
  path: '/users/me/subscriptions/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger, property: word, value: bareTextOrJson },
  returns: v.object({}),
  command: updateSubscriptionProperty,
  audit: 'own',
})
