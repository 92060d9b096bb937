import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { requireVisibleChannel } from '../channels/visibility/find-for-caller.ts'
import { requireOwnWebhook } from './bot-rules.ts'
import {
  type EventSubscription,
  eventSubscriptions,
  MAX_SUBSCRIBED_BOTS,
  putEventSubscriptions,
} from './event-subscription-rows.ts'

interface Subscribed {
  readonly event_subscriptions: readonly EventSubscription[]
}

/** Gets the events to which an outgoing webhook is subscribed. Source: docs/interface/bots.md#event-subscriptions. */
export const getEventSubscriptions: ReadCommand<Caller, { readonly bot_id: number }, void, Subscribed> = {
  reads: true,
  apply({ sql }, caller, { bot_id }) {
    const bot = requireOwnWebhook(sql, caller, bot_id)
    return { event_subscriptions: eventSubscriptions(sql).get(bot.id) ?? [] }
  },
}

/** Replaces the events to which an outgoing webhook is subscribed. */
export const updateEventSubscriptions: Command<
  Caller,
  Subscribed & { readonly bot_id: number },
  void,
  Subscribed
> = {
  apply({ sql }, caller, { bot_id, event_subscriptions }) {
    const bot = requireOwnWebhook(sql, caller, bot_id)
    const before = eventSubscriptions(sql)
    if (new Set(event_subscriptions.map(({ event }) => event)).size < event_subscriptions.length) {
      throw new BadRequestError('An event may be named once.')
    }
    for (const { event, channel_ids } of event_subscriptions) {
      if (event === 'new_person' && channel_ids !== null) {
        throw new BadRequestError('New people come into no channel.')
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
}
