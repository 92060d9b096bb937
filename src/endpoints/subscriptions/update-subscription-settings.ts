import * as v from 'valibot'
import { CHANNEL_SETTINGS_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import { ApiError, ServiceUnavailableError } from '../../core/errors.ts'
import { normaliseColor } from '../../domain/subscriptions/colors.ts'
import {
  type SettingsOutcome,
  updateFurtherSubscriptionSettings,
  updateSubscriptionSettings,
} from '../../domain/subscriptions/update-subscription-settings.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { MAX_CHANNEL_SETTINGS, VALUE_LENGTH, WORD_LENGTH } from '../input-limits.ts'
import { integer, json, listUpTo, nonNegativeInteger, textUpTo, valueUpTo } from '../parameter-types.ts'

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
  idempotency: 'last-step',
  isLast,
  async finish(first, { subscription_data }, worker) {
    const last = await inSeveralCommits<SettingsOutcome>(first, isLast, async ({ left = 0 }) => {
      const at = subscription_data.length - left
      const next = subscription_data.slice(at, at + CHANNEL_SETTINGS_IN_ONE_COMMIT)
      const further = { subscription_data: next, after: left - next.length }
      return (await worker.run(updateFurtherSubscriptionSettingsStep.operation, further)) as SettingsOutcome
    })
    if (last.refusal) throw ApiError.fromWire(last.refusal)
    if (!isLast(last)) throw new ServiceUnavailableError()
    return {}
  },
})

/** Makes the next of thousands of changes. */
export const updateFurtherSubscriptionSettingsStep = defineStep({
  operation: 'update-further-subscription-settings',
  access: 'user',
  params: {
    subscription_data: listUpTo(CHANNEL_SETTINGS_IN_ONE_COMMIT, v.strictObject(change)),
    after: nonNegativeInteger,
  },
  command: updateFurtherSubscriptionSettings,
  audit: 'step',
  idempotency: 'last-step',
  isLast,
})

function isLast({ left }: SettingsOutcome): boolean {
  return left === undefined
}
