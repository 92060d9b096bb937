import * as v from 'valibot'
import { updateSubscriptionProperty } from '../../domain/subscriptions/update-subscription-property.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { VALUE_LENGTH, WORD_LENGTH } from '../input-limits.ts'
import { pathInteger, textOrJson, textUpTo, valueUpTo } from '../parameter-types.ts'

/** A colour may come without the quotes of JSON (decisions 1, mixed types). */
const bareTextOrJson = v.pipe(
  textOrJson(valueUpTo(VALUE_LENGTH)),
  v.transform((value): NonNullable<unknown> | null => value ?? null),
)

/** One personal setting of one channel. Source: core-endpoints 11. */
export const updateSubscriptionPropertyEndpoint = defineEndpoint({
  operation: 'update-subscription-property',
  method: 'PATCH',
  path: '/users/me/subscriptions/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger, property: textUpTo(WORD_LENGTH), value: bareTextOrJson },
  returns: v.object({}),
  command: updateSubscriptionProperty,
})
