import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import type { WebhookEvent } from '../../store/bots/webhook-call-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { Reaction } from '../../store/reactions/reaction-rows.ts'
import { channelsOf } from '../../store/subscriptions/subscriber-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { findReadableMessage } from '../messages/read/message-access.ts'
import type { ChannelMembers } from '../subscriptions/channel-members.ts'
import { seesUser, visibleUsers } from '../users/visibility/visible-users.ts'
import { enqueueCalls } from './enqueue-calls.ts'
import { eventSubscribers } from './event-subscribers.ts'

/**
 * Enqueues calls for webhooks that are subscribed to reactions, and may read the message. Source:
 * docs/interface/bots.md#event-subscriptions.
 */
export function callForReaction(
  tx: RealmTransaction,
  op: 'add' | 'remove',
  user: User,
  message: IndexedMessage,
  { emoji_name, emoji_code, reaction_type }: Reaction,
): void {
  const { kind, id } = recipientOf(message.recipientId)
  const channelId = kind === 'channel' ? id : null
  const bots = eventSubscribers(tx, 'reaction', channelId, user.id).filter((bot) => {
    const reader = { user: bot, actor: actorOf(tx.sql, bot, tx.now) }
    return seesUser(tx, reader, user) && findReadableMessage(tx, reader, message.id) !== undefined
  })
  call(tx, bots, 'reaction', {
    op,
    timestamp: Math.floor(tx.now),
    user_id: user.id,
    message_id: message.id,
    stream_id: channelId,
    emoji_name,
    emoji_code,
    reaction_type,
  })
}

/** Enqueues calls for webhooks that are subscribed to subscriptions: for each one call, with the channels that it may read. */
export function callForJoining(
  tx: RealmTransaction,
  joinings: readonly ChannelMembers[],
  causeId: number | null,
): void {
  const joined = joinings.filter(({ userIds }) => userIds.length > 0)
  const bots = new Map<number, { bot: User; joined: ChannelMembers[] }>()
  for (const joining of joined) {
    for (const bot of eventSubscribers(tx, 'subscription', joining.channel.id, causeId)) {
      const of = bots.get(bot.id) ?? { bot, joined: [] }
      bots.set(bot.id, of)
      of.joined.push(joining)
    }
  }
  if (bots.size === 0) return
  const people = findUsers(tx.sql, [...new Set(joined.flatMap(({ userIds }) => userIds))])
  for (const { bot, joined: all } of bots.values()) {
    const reader = { user: bot, actor: actorOf(tx.sql, bot, tx.now) }
    const seen = new Set(visibleUsers(tx, reader, [...people.values()]).map(({ id }) => id))
    const own = channelsOf(tx.sql, bot.id)
    const subscriptions = all.flatMap(({ channel, userIds }) => {
      const user_ids = userIds.filter((id) => seen.has(id))
      const isShown =
        user_ids.length > 0 && mayAccessChannelContent(reader.actor, channel, own.has(channel.id))
      return isShown ? { stream_id: channel.id, user_ids } : []
    })
    if (subscriptions.length > 0) {
      call(tx, [bot], 'subscription', { op: 'add', timestamp: Math.floor(tx.now), subscriptions })
    }
  }
}

/** Enqueues calls for webhooks that are subscribed to new people, and may see this one. */
export function callForNewPerson(tx: RealmTransaction, user: User, causeId: number | null): void {
  const bots = eventSubscribers(tx, 'new_person', null, causeId).filter((bot) =>
    seesUser(tx, { user: bot, actor: actorOf(tx.sql, bot, tx.now) }, user),
  )
  call(tx, bots, 'new_person', { op: 'add', timestamp: Math.floor(tx.now), user_id: user.id })
}

function call(
  tx: RealmTransaction,
  bots: readonly User[],
  cause: WebhookEvent['cause'],
  event: WebhookEvent['event'],
) {
  if (bots.length > 0) enqueueCalls(tx, bots, { cause, event, origin: tx.origin })
}
