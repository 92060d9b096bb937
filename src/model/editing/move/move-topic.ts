import { CHANGES_OF_COMMIT } from '../../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import { hasReceivedInTopic } from '../../../store/messages/flags/received-message-rows.ts'
import {
  findMessage,
  findMessages,
  type IndexedMessage,
  oldestMessageOfTopic,
} from '../../../store/messages/message-rows.ts'
import { newestTopicMessageIds } from '../../../store/messages/move/topic-message-rows.ts'
import { findTopic, openTopic } from '../../../store/messages/topic-rows.ts'
import type { Caller } from '../../caller.ts'
import { noteActivity } from '../../channels/activity/channel-statistics.ts'
import { topicOfMessage } from '../../messages/topic-of-message.ts'
import type { PlannedMove } from '../plan-edit.ts'
import { carryOutMove, mayTakeOtherName, moveWholeTopic } from './carry-out-move.ts'
import { noticeInNewTopic, noticeInOldTopic, noticeOfToggle } from './move-notices.ts'
import { type MarkedRead, mentioningAtOnce } from './read-for-new-members.ts'
import {
  accessibleMessages,
  accessibleReader,
  newestAccessible,
  type TopicMessages,
} from './topic-messages.ts'

/** A move, with everything that must be known before it is made. */
export interface PreparedMove {
  readonly plan: PlannedMove
  readonly messageId: number
  /** Ids of the moved messages, ascending: only the newest if one commit cannot move all. */
  readonly ids: readonly number[]
  /** Whether nothing is left that the mover can see. */
  readonly isWholeTopic: boolean
  /** Whether the new topic had messages before that the mover can access. */
  readonly targetHasMessages: boolean
  /** Whether the messages stay as they are, and their topic is renamed. */
  readonly takesOtherName: boolean
  /** Whether only the spelling changes: then all are moved at once, since moved messages could not be told from others. */
  readonly staysInTopic: boolean
  /** Number of messages that earlier commits of the same request have moved. */
  readonly goneBefore: number
  /** The oldest of those messages; undefined without any. */
  readonly oldestBefore: number | undefined
  /** Messages of this commit that earlier commits of the same request have marked as read. */
  readonly markedRead: MarkedRead | undefined
}

/** The outcome of earlier commits of the same request. */
export interface EarlierParts {
  readonly gone: number
  /** Whether the new topic had messages before the first of them. */
  readonly targetHadMessages: boolean
  /** The oldest message that they have moved; absent if they have moved none. */
  readonly oldest?: number | undefined
  /** Messages that are marked as read for the next part. */
  readonly markedRead?: MarkedRead | undefined
}

/**
 * Finds the messages to move: those of the old topic that the mover can access, as far as the mode reaches
 * (docs/decisions/interface.md#messages). The whole topic is listed only where it may be renamed in this commit.
 */
export function prepareMove(
  tx: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  plan: PlannedMove,
  earlier: EarlierParts | undefined,
): PreparedMove {
  const target = findTopic(tx.sql, plan.to.id, plan.newTopic)
  const staysInTopic = target?.id === message.topicId
  const leavesNothing = reachesAll(tx, plan.reach, message)
  const whole =
    leavesNothing && mayTakeOtherName(tx, plan, target) ? wholeTopic(tx, caller, message, plan) : undefined
  const reached = whole?.ids ?? newestReached(tx, caller, message, plan, staysInTopic)
  const markedRead = stillReached(tx, caller, message, plan, earlier?.markedRead)
  // Messages that were sent since the others were marked for this commit stay, as if they had come after the move.
  const ids = markedRead?.ids.includes(message.id) ? markedRead.ids : reached
  return {
    plan,
    messageId: message.id,
    ids,
    isWholeTopic:
      ids.length === reached.length &&
      (leavesNothing || leavesNothingAccessible(tx, caller, message, plan, ids)),
    // A change of case alone does not make another topic.
    targetHasMessages:
      earlier?.targetHadMessages ??
      (target !== undefined &&
        !staysInTopic &&
        hasReceivedInTopic(tx.sql, target, caller.user.id, plan.to.historyPublicToSubscribers)),
    takesOtherName: whole?.areAll ?? false,
    staysInTopic,
    goneBefore: earlier?.gone ?? 0,
    oldestBefore: earlier?.oldest,
    markedRead,
  }
}

/** Returns what is marked as read for this commit, without messages that it no longer moves. */
function stillReached(
  tx: RealmReads,
  caller: Caller,
  { topicId }: IndexedMessage,
  { from }: PlannedMove,
  markedRead: MarkedRead | undefined,
): MarkedRead | undefined {
  if (!markedRead) return undefined
  const there = findMessages(tx.sql, markedRead.ids).filter((one) => one.topicId === topicId)
  const ids = accessibleReader(tx.sql, caller.user.id, from)(there.map(({ id }) => id))
  return ids.length === 0 ? undefined : { ...markedRead, ids }
}

/** Returns the messages of a wholly moved topic that the mover can access. */
function wholeTopic(
  tx: RealmReads,
  caller: Caller,
  { id, topicId }: IndexedMessage,
  { from, reach }: PlannedMove,
): TopicMessages {
  if (reach === 'change_one') return { topicId, ids: [id], areAll: true }
  return accessibleMessages(tx, caller, from, topicId)
}

/** Whether the mode leaves no message in the topic, including those that the mover cannot access. */
function reachesAll({ sql }: RealmReads, reach: PlannedMove['reach'], message: IndexedMessage): boolean {
  const { id, topicId } = message
  if (reach === 'change_all') return true
  if (reach === 'change_later') return oldestMessageOfTopic(sql, topicId) === id
  return (
    newestTopicMessageIds(sql, topicId, { from: 0, below: Number.MAX_SAFE_INTEGER, limit: 2 }).length === 1
  )
}

/** Returns the messages that this commit moves, and one more if there are others. Messages that stay in their topic are taken at once. */
function newestReached(
  tx: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  { from, reach }: PlannedMove,
  staysInTopic: boolean,
): readonly number[] {
  if (reach === 'change_one') return [message.id]
  return newestAccessible(tx, caller, from, message.topicId, {
    from: reach === 'change_all' ? 0 : message.id,
    limit: staysInTopic ? Number.MAX_SAFE_INTEGER : CHANGES_OF_COMMIT + 1,
  })
}

/** Whether nothing is left in the topic that the mover can see, with protected history. Checked with the last commit. */
function leavesNothingAccessible(
  tx: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  { from }: PlannedMove,
  ids: readonly number[],
): boolean {
  if (from.historyPublicToSubscribers || ids.length > CHANGES_OF_COMMIT) return false
  return accessibleMessages(tx, caller, from, message.topicId).ids.length === ids.length
}

/** Returns the messages to check for time limits: all of them before the first commit, later those of this commit. */
export function countedMessages(
  tx: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  { plan, ids, goneBefore }: PreparedMove,
): TopicMessages {
  if (goneBefore === 0) return accessibleMessages(tx, caller, plan.from, message.topicId)
  return { topicId: message.topicId, ids, areAll: false }
}

/** Returns the next commit's part of a large move: the newest messages, the named one last. Undefined where the rest fits. */
export function partOfMove(tx: RealmReads, move: PreparedMove): PreparedMove | undefined {
  if (move.takesOtherName || move.staysInTopic) return undefined
  const ids = idsOfPart(tx, move)
  if (!ids) return undefined
  const oldTopic = topicOfMessage(tx.sql, findMessage(tx.sql, ids[0]!)!)!
  return { ...move, plan: { ...move.plan, oldTopic }, messageId: ids[0]!, ids, isWholeTopic: false }
}

function idsOfPart(
  tx: RealmReads,
  { plan, ids, messageId, markedRead }: PreparedMove,
): readonly number[] | undefined {
  if (markedRead) return markedRead.ids.includes(messageId) ? undefined : markedRead.ids
  const others = ids.filter((id) => id !== messageId)
  if (ids.length > CHANGES_OF_COMMIT) {
    return mentioningAtOnce(tx.sql, plan, others.slice(-CHANGES_OF_COMMIT))
  }
  if (others.length === 0 || mentioningAtOnce(tx.sql, plan, ids).length === ids.length) return undefined
  return mentioningAtOnce(tx.sql, plan, others)
}

/** Returns the oldest message that the request has moved with this commit. */
export function oldestMoved({ ids, oldestBefore = ids[0]! }: PreparedMove): number {
  return Math.min(ids[0]!, oldestBefore)
}

export function moveToTopic(
  tx: RealmTransaction,
  caller: Caller,
  { plan, ids, takesOtherName, markedRead }: PreparedMove,
  seq: number,
): void {
  if (takesOtherName) moveWholeTopic(tx, caller.user.id, plan, ids.at(-1)!, seq)
  else
    carryOutMove(tx, caller.user.id, plan, openTopic(tx.sql, plan.to.id, plan.newTopic), ids, seq, markedRead)
}

/** Sends the notices about the move. Source: docs/interface/messages.md#notices-of-a-move. */
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
    const topic = { ...findTopic(tx.sql, plan.to.id, plan.newTopic)!, name: plan.newTopic }
    noticeOfToggle(tx, caller, topic, plan.oldTopic.name)
  }
  // The topic is where it was, so no notice is needed.
  if (plan.isRespelling) return
  if (options.send_notification_to_new_thread && (plan.changesChannel || !plan.isToggle)) {
    noticeInNewTopic(tx, caller, plan, part)
  }
  if (options.send_notification_to_old_thread) noticeInOldTopic(tx, caller, plan, part)
  // Read again, since a notice may have made the channel active already.
  if (plan.changesChannel) noteActivity(tx, findChannel(tx.sql, plan.to.id)!)
}
