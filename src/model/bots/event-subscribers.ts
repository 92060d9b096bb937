import type { RealmReads } from '../../core/realm-transaction.ts'
import { eventSubscriptions, type WebhookEventName } from '../../store/bots/event-subscription-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { BOT_TYPE, isOutgoingWebhook } from './bot-rules.ts'

/**
 * Returns the bots that are subscribed to such an event, whether they may see it or not. `channelId`: null for an
 * event outside channels. `causeId`: the user who causes it, if any. Events that an outgoing webhook causes are for no
 * bot, since two that answer each other would never come to an end.
 */
export function eventSubscribers(
  { sql }: Pick<RealmReads, 'sql'>,
  event: WebhookEventName,
  channelId: number | null,
  causeId: number | null,
): User[] {
  const all = eventSubscriptions(sql)
  if (all.size === 0) return []
  const cause = causeId === null ? undefined : findUser(sql, causeId)
  if (cause?.botType === BOT_TYPE.outgoingWebhook) return []
  return [...all].flatMap(([botId, subscriptions]) => {
    const subscribed = subscriptions.find((one) => one.event === event)
    if (!subscribed || !isIn(subscribed.channel_ids, channelId)) return []
    const bot = findUser(sql, botId)
    return bot && isOutgoingWebhook(bot) ? bot : []
  })
}

function isIn(channelIds: readonly number[] | null, channelId: number | null): boolean {
  return channelIds === null || (channelId !== null && channelIds.includes(channelId))
}
