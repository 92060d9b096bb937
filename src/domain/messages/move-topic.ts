import { MOVED_IN_ONE_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { actorOf, type Caller } from '../caller.ts'
import { noteActivity } from '../channels/channel-activity.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { migratePolicies } from '../user-topics/migrate-policies.ts'
import { findUser } from '../users/user-rows.ts'
import { carryOutMove } from './carry-out-move.ts'
import { findMessage, type IndexedMessage } from './message-rows.ts'
import { losesAccess } from './move-audience.ts'
import { noticeInNewTopic, noticeInOldTopic } from './move-notices.ts'
import { moveWholeTopic, takesOtherName } from './move-whole-topic.ts'
import type { PlannedMove } from './plan-edit.ts'
import { hasReceivedInTopic } from './received-messages.ts'
import { noticeOfToggle } from './resolve-notice.ts'
import { accessibleMessages, type TopicMessages } from './topic-messages.ts'
import { topicOfMessage } from './topic-of-message.ts'
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
  /** The messages stay as they are: their topic takes the other name. */
  readonly takesOtherName: boolean
  /** Of the same request, what has gone in commits before this one. */
  readonly goneBefore: number
}

/** What commits of the same request have done before. */
export interface EarlierParts {
  readonly gone: number
  /** Before the first of them. */
  readonly targetHadMessages: boolean
}

/**
 * Which messages go: those of the old topic that the mover can access, as far as the mode reaches
 * (docs/decisions/interface.md#messages).
 */
export function prepareMove(
  tx: RealmTransaction,
  caller: Caller,
  message: IndexedMessage,
  plan: PlannedMove,
  earlier: EarlierParts | undefined,
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
    targetHasMessages: earlier?.targetHadMessages ?? there.length > 0,
    takesOtherName: takesOtherName(tx, plan, accessible, ids),
    goneBefore: earlier?.gone ?? 0,
  }
}

/**
 * What of a move goes in a commit of its own, when it is more than one takes: the newest, and never the message that was
 * named, which goes with the last. Undefined where the rest is no more than that.
 */
export function partOfMove(tx: RealmTransaction, move: PreparedMove): PreparedMove | undefined {
  if (move.takesOtherName || move.ids.length <= MOVED_IN_ONE_COMMIT) return undefined
  const ids = move.ids.filter((id) => id !== move.messageId).slice(-MOVED_IN_ONE_COMMIT)
  const oldTopic = topicOfMessage(tx.sql, findMessage(tx.sql, ids[0]!)!)!
  return { ...move, plan: { ...move.plan, oldTopic }, messageId: ids[0]!, ids, isWholeTopic: false }
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
  { plan, ids, takesOtherName }: PreparedMove,
  seq: number,
): void {
  if (takesOtherName) moveWholeTopic(tx, caller.user.id, plan, ids.at(-1)!, seq)
  else carryOutMove(tx, caller.user.id, plan, openTopic(tx.sql, plan.to.id, plan.newTopic), ids, seq)
}

/** What is said after the move itself. Source: docs/interface/messages.md#notices-of-a-move. */
export function noticesOfMove(
  tx: RealmTransaction,
  caller: Caller,
  move: PreparedMove,
  options: {
    readonly send_notification_to_new_thread: boolean
    readonly send_notification_to_old_thread: boolean
    readonly editsContent: boolean
  },
): void {
  const { plan, ids, goneBefore, messageId, isWholeTopic, targetHasMessages } = move
  const count = goneBefore + ids.length
  const part = { count, messageId, isWholeTopic, isNewTopic: !targetHasMessages }
  if (plan.isToggle && !plan.changesChannel && !options.editsContent) {
    noticeOfToggle(tx, caller, { ...findTopic(tx.sql, plan.to.id, plan.newTopic)!, name: plan.newTopic })
  }
  if (options.send_notification_to_new_thread && (plan.changesChannel || !plan.isToggle)) {
    noticeInNewTopic(tx, caller, plan, part)
  }
  if (options.send_notification_to_old_thread) noticeInOldTopic(tx, caller, plan, part)
  // Read again: a notice may have woken the channel already.
  if (plan.changesChannel) noteActivity(tx, findChannel(tx.sql, plan.to.id)!)
}
