import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_CHANNEL_SETTINGS, VALUE_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import {
  integer,
  json,
  listUpTo,
  pathInteger,
  textOrJson,
  textUpTo,
  valueUpTo,
  word,
} from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import { eachInCommits } from '../../core/in-commits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Caller } from '../../model/caller.ts'
import { normaliseColor } from '../../model/subscriptions/colors.ts'
import { requireChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { changeSubscription } from '../../store/subscriptions/subscription-rows.ts'

const change = {
  stream_id: integer,
  property: textUpTo(WORD_LENGTH),
  value: valueUpTo(VALUE_LENGTH, v.union([v.boolean(), textUpTo(VALUE_LENGTH)])),
}

/**
 * Changes personal settings of channels, one after the other, in several commits if there are thousands. Changes before a refusal stay
 * (docs/decisions/interface.md#queues-and-events), so the refusal is a result of the commits, and becomes the answer afterwards. Source:
 * docs/interface/subscriptions.md#settings-of-a-subscription.
 */
export const updateSubscriptionSettingsEndpoint = defineEndpoint({
  operation: 'update-subscription-settings',
  route: 'POST /users/me/subscriptions/properties',
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
  command: {
    *commits({ subscription_data }) {
      const changes = subscription_data.map(requireValidChange)
      const refusals = yield* eachInCommits(
        changes,
        (refusal: ApiError | undefined) => (refusal ? changes.length : CHANGES_OF_COMMIT),
        (tx, caller: Caller, next) => changeSettings(tx, caller, next.slice(0, CHANGES_OF_COMMIT)),
      )
      const refusal = refusals.at(-1)
      return refusal ? { refusal: refusal.toWire() } : {}
    },
  },
  audit: 'own',
  async finish({ refusal }) {
    if (refusal) throw ApiError.fromWire(refusal)
    return {}
  },
})

/** Names in the API, with our properties. `in_home_view` is the opposite of `is_muted`. */
const PROPERTIES = {
  color: 'color',
  is_muted: 'isMuted',
  in_home_view: 'isMuted',
  pin_to_top: 'pinToTop',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const

type SubscriptionProperty = keyof typeof PROPERTIES

export const SUBSCRIPTION_PROPERTIES = Object.keys(PROPERTIES) as SubscriptionProperty[]

/** A valid change: its value is a boolean, or a colour in normal form. */
interface ValidChange {
  readonly stream_id: number
  readonly property: SubscriptionProperty
  readonly value: boolean | string
}

/** Makes changes up to the first that is refused, and returns the refusal. */
function changeSettings(
  tx: RealmTransaction,
  caller: Caller,
  changes: readonly ValidChange[],
): ApiError | undefined {
  try {
    for (const change of changes) changeSetting(tx, caller, change)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function requireValidChange({ stream_id, property, value }: ParametersOf<typeof change>): ValidChange {
  if (!Object.hasOwn(PROPERTIES, property)) {
    throw new BadRequestError(`Unknown subscription property: ${property}`)
  }
  const valid = property === 'color' ? normaliseColor(String(value)) : value
  if (valid === undefined) throw new BadRequestError('color is not a valid hex color code')
  if (property !== 'color' && typeof valid !== 'boolean') {
    throw new BadRequestError(`${property} is not a boolean`)
  }
  return { stream_id, property: property as SubscriptionProperty, value: valid as boolean | string }
}

/** @throws BadRequestError before anything is changed. */
function changeSetting(tx: RealmTransaction, { user, actor }: Caller, change: ValidChange): void {
  const channelId = change.stream_id
  if (!isSubscribed(tx.sql, channelId, user.id)) {
    requireChannelMetadata(actor, findChannel(tx.sql, channelId), false)
    throw new BadRequestError(`Not subscribed to channel ID ${channelId}`)
  }
  const value = change.property === 'in_home_view' ? !change.value : change.value
  changeSubscription(tx.sql, { channelId, userId: user.id }, PROPERTIES[change.property], value)
  const emit = (property: string, emitted: boolean | string) => {
    const event: StoredSubscriptionEvent = {
      type: 'subscription',
      op: 'update',
      stream_id: change.stream_id,
      property,
      value: emitted,
    }
    tx.emit(event, toUsers(user.id))
  }
  if (PROPERTIES[change.property] === 'isMuted') {
    emit('in_home_view', !value)
    emit('is_muted', value)
  } else {
    emit(change.property, value)
  }
}

/** A colour may come without JSON quotes (docs/decisions/interface.md#conventions). */
const bareTextOrJson = v.pipe(
  textOrJson(valueUpTo(VALUE_LENGTH, v.union([v.boolean(), textUpTo(VALUE_LENGTH)]))),
  v.transform((value): NonNullable<unknown> | null => value ?? null),
)

/** Changes one setting of one channel, in the older form. Source: docs/interface/subscriptions.md#settings-of-a-subscription. */
export const updateSubscriptionPropertyEndpoint = defineEndpoint({
  operation: 'update-subscription-property',
  route: 'PATCH /users/me/subscriptions/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger, property: word, value: bareTextOrJson },
  apply(tx, caller, change) {
    changeSetting(tx, caller, requireValidChange(change))
  },
  audit: 'own',
})
