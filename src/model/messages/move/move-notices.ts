import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { messageNearLink } from '../../../markdown/message-links.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import type { Caller } from '../../caller.ts'
import type { PlannedMove } from '../edit/plan-edit.ts'
import { sendNotice } from '../send/send-notice.ts'

/** The moved messages, as the notices count them. */
export interface MovedPart {
  readonly count: number
  /** Whether the mover can see nothing that is left in the old topic. */
  readonly isWholeTopic: boolean
  /** Whether the mover could see nothing in the new one before. */
  readonly isNewTopic: boolean
  readonly messageId: number
}

/**
 * Sends a notice to the new topic that says where its messages came from. Source:
 * docs/interface/messages.md#notices-of-a-move.
 */
export function noticeInNewTopic(
  tx: RealmTransaction,
  caller: Caller,
  move: PlannedMove,
  part: MovedPart,
): void {
  const from = `from ${mentionText({ channel: move.from, topic: move.oldTopic.name })} by ${mentionText({ user: caller.user })}.`
  const near = `${caller.source.origin}${messageNearLink(move.to, move.newTopic, part.messageId)}`
  const what =
    part.isWholeTopic && part.isNewTopic
      ? 'This topic was moved here'
      : part.count === 1
        ? `[A message](${near}) was moved here`
        : `${part.count} messages were moved here`
  sendMoveNotice(tx, caller, move.to, move.newTopic, `${what} ${from}`)
}

/** Sends a notice to the old topic that says where its messages went. */
export function noticeInOldTopic(
  tx: RealmTransaction,
  caller: Caller,
  move: PlannedMove,
  part: MovedPart,
): void {
  const what = part.isWholeTopic
    ? 'This topic was moved'
    : part.count === 1
      ? 'A message was moved from this topic'
      : `${part.count} messages were moved from this topic`
  const to = `to ${mentionText({ channel: move.to, topic: move.newTopic })} by ${mentionText({ user: caller.user })}.`
  sendMoveNotice(tx, caller, move.from, move.oldTopic.name, `${what} ${to}`)
}

function sendMoveNotice(
  tx: RealmTransaction,
  caller: Caller,
  { id }: Channel,
  topic: string,
  content: string,
): void {
  // Read again, since the move may have changed which message is the channel's first.
  const channel = findChannel(tx.sql, id)!
  sendNotice(tx, { to: { channel, topic }, content, cause: caller, origin: caller.source.origin })
}
