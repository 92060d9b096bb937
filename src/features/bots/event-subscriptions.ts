import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer, json, listUpTo, pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireOwnWebhook } from '../../model/bots/bot-rules.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import {
  type EventSubscription,
  eventSubscriptions,
  MAX_SUBSCRIBED_BOTS,
  putEventSubscriptions,
  WEBHOOK_EVENTS,
} from '../../store/bots/bot-setting-rows.ts'

/** Channels per event. A bot that wants more subscribes to all, and ignores what it does not need. */
const CHANNELS = 100

const eventSubscription = v.object({
  event: v.picklist(WEBHOOK_EVENTS),
  channel_ids: described(v.nullable(listUpTo(CHANNELS, integer)), 'Null: all that the bot may read.'),
})

const subscribed = v.object({
  event_subscriptions: v.array(
    v.object({ event: v.picklist(WEBHOOK_EVENTS), channel_ids: v.nullable(v.array(v.number())) }),
  ),
})

/** Gets the events to which an outgoing webhook is subscribed. Parley's own. Source: docs/interface/bots.md#event-subscriptions. */
export const getEventSubscriptionsEndpoint = defineEndpoint({
  operation: 'get-event-subscriptions',
  route: 'GET /bots/:bot_id/event_subscriptions',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: subscribed,
  query({ sql }, caller, { bot_id }): Subscribed {
    const bot = requireOwnWebhook(sql, caller, bot_id)
    return { event_subscriptions: eventSubscriptions(sql).get(bot.id) ?? [] }
  },
})

/** Replaces the events to which an outgoing webhook is subscribed. Parley's own. */
export const updateEventSubscriptionsEndpoint = defineEndpoint({
  operation: 'update-event-subscriptions',
  route: 'PUT /bots/:bot_id/event_subscriptions',
  access: 'human-member',
  growsObject: true,
  params: {
    bot_id: pathInteger,
    event_subscriptions: json(listUpTo(WEBHOOK_EVENTS.length, eventSubscription)),
  },
  returns: subscribed,
  apply({ sql }, caller, { bot_id, event_subscriptions }): Subscribed {
    const bot = requireOwnWebhook(sql, caller, bot_id)
    const before = eventSubscriptions(sql)
    if (new Set(event_subscriptions.map(({ event }) => event)).size < event_subscriptions.length) {
      throw new BadRequestError('Each event may be named only once.')
    }
    for (const { event, channel_ids } of event_subscriptions) {
      if (event === 'new_person' && channel_ids !== null) {
        throw new BadRequestError('New people are not in a channel.')
      }
      for (const id of channel_ids ?? []) requireVisibleChannel(sql, caller, id)
    }
    if (event_subscriptions.length > 0 && !before.has(bot.id) && before.size >= MAX_SUBSCRIBED_BOTS) {
      throw new BadRequestError(
        `No more than ${MAX_SUBSCRIBED_BOTS} bots of an organization can be subscribed to events.`,
      )
    }
    putEventSubscriptions(sql, bot.id, event_subscriptions)
    return { event_subscriptions }
  },
  audit: ({ params }) => ({
    action: 'settings_changed',
    details: {
      user_id: params.bot_id,
      event_subscriptions: params.event_subscriptions.map(({ event }) => event).join(),
    },
  }),
})

interface Subscribed {
  readonly event_subscriptions: readonly EventSubscription[]
}
