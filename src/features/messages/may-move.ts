import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { countTopic, type TopicMessages } from '../../model/editing/move/topic-messages.ts'
import type { PlannedMove } from '../../model/editing/plan-edit.ts'
import { isChannelHeld } from '../../model/holds/held.ts'
import { botOwnerFacts, requireMayOpenTopicIn } from '../../model/sending/resolve-destination.ts'
import {
  type Move,
  type MoveLimits,
  requireChannelMoveInTime,
  requireMayMoveBetweenChannels,
  requireMayMoveBetweenTopics,
  requireMayResolveTopic,
  requireTopicMoveInTime,
  requireWholeTopicInTime,
} from '../../rules/move-rules.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'

/** Checks step 14 of docs/interface/messages.md#edit-or-move-a-message: the topic's name. */
export function requireMayChangeTopic(
  view: RealmView,
  { actor }: Caller,
  move: PlannedMove,
  facts: Move,
): void {
  if (!move.changesTopic) return
  const permissions = realmPermissions(view.sql)
  if (move.isToggle) {
    requireMayResolveTopic(actor, move, permissions)
    return
  }
  requireMayMoveBetweenTopics(actor, move, permissions)
  requireTopicMoveInTime(actor, facts, moveLimits(view))
}

/** Checks steps 16 to 18: the channel, the rest of the topic, and whether the new topic may be begun. */
export function requireMayChangeChannel(
  view: RealmView,
  caller: Caller,
  move: PlannedMove,
  facts: Move,
): void {
  const { user, actor } = caller
  if (move.changesChannel) {
    requireMayMoveBetweenChannels(
      actor,
      move,
      isSubscribed(view.sql, move.to.id, user.id),
      realmPermissions(view.sql),
      botOwnerFacts(view, user, move.to),
    )
    requireChannelMoveInTime(actor, facts, moveLimits(view))
    if (isChannelHeld(view.sql, move.from.id))
      throw new BadRequestError('This channel is on hold, so its messages cannot leave it.')
  }
  requireWholeTopicInTime(actor, facts, moveLimits(view))
  if (!move.isToggle || move.changesChannel) requireMayOpenTopicIn(view, caller, move.to, move.newTopic)
}

/**
 * Returns the facts of a move for the time limits. `counted`: returns the messages of the old topic that the mover can access; few checks
 * need them.
 */
export function moveFacts(
  view: RealmView,
  message: IndexedMessage,
  { mode, changesTopic, changesChannel, isToggle }: PlannedMove,
  counted: () => TopicMessages,
): Move {
  return {
    propagateMode: mode,
    changesTopic: changesTopic && !isToggle,
    changesChannel,
    messageAgeSeconds: view.now - message.sentAt,
    countTopic: (maxAgeSeconds) => countTopic(view, counted(), maxAgeSeconds),
  }
}

function moveLimits({ sql }: RealmView): MoveLimits {
  return {
    move_messages_within_stream_limit_seconds: realmProperty(
      sql,
      'move_messages_within_stream_limit_seconds',
    ),
    move_messages_between_streams_limit_seconds: realmProperty(
      sql,
      'move_messages_between_streams_limit_seconds',
    ),
  }
}
