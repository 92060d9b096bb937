import { IdSet } from '../../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { mentionText } from '../../../markdown/mention-text.ts'
import { messageNearLink } from '../../../markdown/message-links.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../../rules/topic-rules.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import { MESSAGE_BIT } from '../../../store/messages/flags/message-bits.ts'
import {
  findMessage,
  type IndexedMessage,
  newestMessageOfTopic,
} from '../../../store/messages/message-rows.ts'
import type { Topic } from '../../../store/messages/topic-rows.ts'
import { openSubscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { followersOf } from '../../../store/user-topics/user-topic-rows.ts'
import { whoChose } from '../../../store/users/settings/user-setting-rows.ts'
import type { Caller } from '../../caller.ts'
import { withoutHeld } from '../../holds/held.ts'
import { noticeTexts } from '../../notices/channel-notice-texts.ts'
import { sendNotice } from '../../sending/send-notice.ts'
import { deleteMessages } from '../delete-messages.ts'
import type { PlannedMove } from '../plan-edit.ts'

/** The moved messages, as the notices count them. */
interface MovedPart {
  readonly count: number
  /** Whether nothing is left in the old topic that the mover can see. */
  readonly isWholeTopic: boolean
  /** Whether there was nothing in the new topic that the mover could see. */
  readonly isNewTopic: boolean
  readonly messageId: number
}

/** Tells the new topic where its messages came from. Source: docs/interface/messages.md#notices-of-a-move. */
export function noticeInNewTopic(
  tx: RealmTransaction,
  caller: Caller,
  move: PlannedMove,
  part: MovedPart,
): void {
  const { movedHere } = noticeTexts(tx)
  const from = mentionText({ channel: move.from, topic: move.oldTopic.name })
  const who = mentionText({ user: caller.user })
  const near = `${caller.source.origin}${messageNearLink(move.to, move.newTopic, part.messageId)}`
  const text =
    part.isWholeTopic && part.isNewTopic
      ? movedHere.topic({ from, who })
      : part.count === 1
        ? movedHere.message({ url: near, from, who })
        : movedHere.messages({ count: part.count, from, who })
  sendMoveNotice(tx, caller, move.to, move.newTopic, text)
}

/** Tells the old topic where its messages went. */
export function noticeInOldTopic(
  tx: RealmTransaction,
  caller: Caller,
  move: PlannedMove,
  part: MovedPart,
): void {
  const { movedAway } = noticeTexts(tx)
  const to = mentionText({ channel: move.to, topic: move.newTopic })
  const who = mentionText({ user: caller.user })
  const text = part.isWholeTopic
    ? movedAway.topic({ to, who })
    : part.count === 1
      ? movedAway.message({ to, who })
      : movedAway.messages({ count: part.count, to, who })
  sendMoveNotice(tx, caller, move.from, move.oldTopic.name, text)
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

/** Seconds within which a topic that was resolved by mistake can be unresolved without a trace. */
const UNDO_SECONDS = 60

/** Tells a topic that it was marked as resolved or unresolved. Within a minute, the opposite only deletes the earlier notice. */
export function noticeOfToggle(tx: RealmTransaction, caller: Caller, topic: Topic, nameBefore: string): void {
  const newest = newestMessageOfTopic(tx.sql, topic.id)
  const last = newest === undefined ? undefined : findMessage(tx.sql, newest)
  if (last && isFreshNotice(last, tx.now) && withoutHeld(tx.sql, [last]).length > 0) {
    deleteMessages(tx, [last])
    return
  }
  const channel = findChannel(tx.sql, topic.channelId)!
  const state = topic.name.startsWith(RESOLVED_TOPIC_PREFIX) ? 'resolved' : 'unresolved'
  sendNotice(tx, {
    to: { channel, topic: topic.name },
    content: noticeTexts(tx)[state](mentionText({ user: caller.user })),
    cause: caller,
    origin: caller.source.origin,
    resolveNotice: {
      unreadFor: interestedUsers(tx, topic, nameBefore).filter((id) => id !== caller.user.id),
    },
  })
}

function isFreshNotice({ bits, sentAt }: IndexedMessage, now: number): boolean {
  return (bits & MESSAGE_BIT.isResolveNotice) !== 0 && sentAt > now - UNDO_SECONDS
}

/** The setting that decides whether such notices arrive read: `always`, `never` or, by default, `except_followed`. */
const AUTO_READ = 'resolved_topic_notice_auto_read_policy'

/** Returns the subscribers who want to see such notices: in all topics, or in topics that they follow. */
function interestedUsers({ sql }: RealmReads, topic: Topic, nameBefore: string): number[] {
  // Thousands of followers follow it under its new name only later (user-topics/migrate-policies.ts).
  const followers = [topic.name, nameBefore].flatMap((name) => followersOf(sql, topic.channelId, name))
  const subscribers = openSubscribersOf(sql, topic.channelId)
  const following = subscribers.and(IdSet.of(followers))
  return following
    .andNot(whoChose(sql, following, AUTO_READ, 'always'))
    .or(whoChose(sql, subscribers, AUTO_READ, 'never'))
    .toArray()
}
