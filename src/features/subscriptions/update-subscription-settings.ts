import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_CHANNEL_SETTINGS, VALUE_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo, textUpTo, valueUpTo } from '../../api/parameter-types.ts'
import { ApiError } from '../../core/errors.ts'
import { normaliseColor } from '../../model/subscriptions/colors.ts'
import { updateSubscriptionSettings } from './update-subscription-settings-work.ts'

const change = {
  stream_id: integer,
  property: textUpTo(WORD_LENGTH),
  value: valueUpTo(VALUE_LENGTH, v.union([v.boolean(), textUpTo(VALUE_LENGTH)])),
}

/**
 * Changes personal settings of channels. Source: docs/interface/subscriptions.md#settings-of-a-subscription.
 */
export const updateSubscriptionSettingsEndpoint = defineEndpoint({
  operation: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  access: 'user',
  params: {
    subscription_data: json(
      listUpTo(
        MAX_CHANNEL_SETTINGS,
        v.pipe(
          v.object(change),
          v.check(
            ({ property, value }) => property !== 'color' || normaliseColor(String(value)) !== undefined,
            'color is not a valid hex color code',
          ),
        ),
      ),
    ),
  },
  returns: v.object({}),
  command: updateSubscriptionSettings,
  audit: 'own',
  async finish({ refusal }) {
    if (refusal) throw ApiError.fromWire(refusal)
    return {}
  },
})
