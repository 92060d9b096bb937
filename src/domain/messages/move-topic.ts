import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { actorOf, type Caller } from '../caller.ts'
import { noteActivity } from '../channels/channel-activity.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { migratePolicies } from '../user-topics/migrate-policies.ts'
import { findUser } from '../users/user-rows.ts'
import { carryOutMove } from './carry-out-move.ts'
import type { IndexedMessage } from './message-rows.ts'
import { losesAccess } from './move-audience.ts'
import { noticeInNewTopic, noticeInOldTopic } from './move-notices.ts'
import { moveWholeTopic } from './move-whole-topic.ts'
import type { PlannedMove } from './plan-edit.ts'
import { hasReceivedInTopic } from './received-messages.ts'
import { noticeOfToggle } from './resolve-notice.ts'
import { accessibleMessages, type TopicMessages } from './topic-messages.ts'
import { findTopic, openTopic, type Topic } from './topic-rows.ts'

/** A move with all that has to be known before it is carried out. */
export interface PreparedMove {
  readonly plan: PlannedMove
  readonly messageId: number
  /** What goes: ascending. */
  readonly ids: readonly number[]
  /** The messages of the old topic that the mover can access. */
  readonly accessible: TopicMessages
  /** Nothing is left that the mover can see. */
  readonly isWholeTopic: boolean
  /** Of the new topic, before, as far as the mover can access them. */
  readonly targetHasMessages: boolean
}

/**
 * Which messages go: those of the old topic that the mover can access, as far as the mode reaches
 * (decisions 3, row "4.2 r4").
 */
export function prepareMove(
  tx: RealmTransaction,
  caller: Caller,
  message: IndexedMessage,
  plan: PlannedMove,
): PreparedMove {
  const accessible = accessibleMessages(tx, caller, plan.from, message.topicId)
  const ids = reachedIds(plan.mode, accessible.ids, message.id)
  const target = findTopic(tx.sql, plan.to.id, plan.newTopic)
  // A change of upper and lower case alone is no other topic.
  const there =
    target === undefined || target.id === message.topicId
      ? []
      : accessibleMessages(tx, caller, plan.to, target.id).ids
  return {
    plan,
    messageId: message.id,
    ids,
    accessible,
    isWholeTopic: plan.mode === 'change_all' || ids.length === accessible.ids.length,
    targetHasMessages: there.length > 0,
  }
}

function reachedIds(mode: PlannedMove['mode'], ids: readonly number[], from: number): readonly number[] {
  if (mode === 'change_all') return ids
  return mode === 'change_later' ? ids.slice(ids.indexOf(from)) : [from]
}

/** What users wanted of the topic goes with it, once nothing is left of it. */
export function movePolicies(
  tx: RealmTransaction,
  { plan, isWholeTopic, targetHasMessages }: PreparedMove,
): void {
  if (!isWholeTopic) return
  const { from, to, oldTopic, newTopic } = plan
  migratePolicies(
    tx,
    { channelId: from.id, topic: oldTopic.name },
    { channelId: to.id, topic: newTopic },
    {
      targetHasMessages,
      sawTopic: (userId) => seesTopic(tx, userId, from, oldTopic),
      losesAccess(userId) {
        const user = findUser(tx.sql, userId)
        return user === undefined || (from.id !== to.id && losesAccess(tx, user, to))
      },
    },
  )
}

/** Whether there is anything in the topic that the user may read. */
function seesTopic({ sql, now }: RealmTransaction, userId: number, channel: Channel, topic: Topic): boolean {
  const user = findUser(sql, userId)
  if (!user) return false
  const actor = actorOf(sql, user, now)
  return (
    mayAccessChannelContent(actor, channel, isSubscribed(sql, channel.id, userId)) &&
    hasReceivedInTopic(sql, topic, userId, channel.historyPublicToSubscribers)
  )
}

export function moveToTopic(
  tx: RealmTransaction,
  caller: Caller,
  { plan, ids, accessible }: PreparedMove,
  seq: number,
): void {
  const isAll = accessible.areAll && ids.length === accessible.ids.length
  if (isAll && moveWholeTopic(tx, caller.user.id, plan, ids.at(-1)!, seq)) return
  carryOutMove(tx, caller.user.id, plan, openTopic(tx.sql, plan.to.id, plan.newTopic), ids, seq)
}

/** What is said after the move itself. Source: behaviour 4.2, Events 4 and 6. */
export function noticesOfMove(
  tx: RealmTransaction,
  caller: Caller,
  move: PreparedMove,
  wishes: {
    readonly send_notification_to_new_thread: boolean
    readonly send_notification_to_old_thread: boolean
    readonly editsContent: boolean
  },
): void {
  const { plan, ids, messageId, isWholeTopic, targetHasMessages } = move
  const part = { ids, messageId, isWholeTopic, isNewTopic: !targetHasMessages }
  if (plan.isToggle && !plan.changesChannel && !wishes.editsContent) {
    noticeOfToggle(tx, caller, { ...findTopic(tx.sql, plan.to.id, plan.newTopic)!, name: plan.newTopic })
  }
  if (wishes.send_notification_to_new_thread && (plan.changesChannel || !plan.isToggle)) {
    noticeInNewTopic(tx, caller, plan, part)
  }
  if (wishes.send_notification_to_old_thread) noticeInOldTopic(tx, caller, plan, part)
  // Read again: a notice may have woken the channel already.
  if (plan.changesChannel) noteActivity(tx, findChannel(tx.sql, plan.to.id)!)
}
