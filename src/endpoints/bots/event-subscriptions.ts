import * as v from 'valibot'
import { WEBHOOK_EVENTS } from '../../domain/bots/event-subscription-rows.ts'
import { getEventSubscriptions, updateEventSubscriptions } from '../../domain/bots/event-subscriptions.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer, json, listUpTo, pathInteger } from '../parameter-types.ts'

/** Channels of one event. A bot that wants more of them gets all, and leaves out what it does not need. */
const CHANNELS = 100

const eventSubscription = v.object({
  event: v.picklist(WEBHOOK_EVENTS),
  channel_ids: v.pipe(
    v.nullable(listUpTo(CHANNELS, integer)),
    v.description('Null: all that the bot may read.'),
  ),
})

const subscribed = v.object({
  event_subscriptions: v.array(
    v.object({ event: v.picklist(WEBHOOK_EVENTS), channel_ids: v.nullable(v.array(v.number())) }),
  ),
})

/** Gets the events to which an outgoing webhook is subscribed. Parley's own. Source: docs/interface/bots.md#event-subscriptions. */
export const getEventSubscriptionsEndpoint = defineEndpoint({
  operation: 'get-event-subscriptions',
  method: 'GET',
  path: '/bots/:bot_id/event_subscriptions',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: subscribed,
  command: getEventSubscriptions,
})

/** Replaces them. Parley's own. */
export const updateEventSubscriptionsEndpoint = defineEndpoint({
  operation: 'update-event-subscriptions',
  method: 'PUT',
  path: '/bots/:bot_id/event_subscriptions',
  access: 'human-member',
  growsObject: true,
  params: {
    bot_id: pathInteger,
    event_subscriptions: json(listUpTo(WEBHOOK_EVENTS.length, eventSubscription)),
  },
  returns: subscribed,
  command: updateEventSubscriptions,
  audit: ({ params }) => ({
    action: 'settings_changed',
    details: {
      user_id: params.bot_id,
      event_subscriptions: params.event_subscriptions.map(({ event }) => event).join(),
    },
  }),
})
