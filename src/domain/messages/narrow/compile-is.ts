import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../../permissions/topic-rules.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import { TOPIC_POLICY, topicIdsWithPolicy } from '../../user-topics/user-topic-rows.ts'
import { callsReceiver } from '../called-receivers.ts'
import { flagBits, messagesWithFlag } from '../flag-rows.ts'
import { accessReader, type Viewer } from '../message-access.ts'
import { FLAG_BIT } from '../message-bits.ts'
import { isRead } from '../message-flags.ts'
import { type IndexedMessage, messagesWithWildcard } from '../message-rows.ts'
import { ReadSet } from '../read-rows.ts'
import { type Topic, topicIdsPrefixed, topicsById } from '../topic-rows.ts'
import type { CompiledTerm, TermTests } from './narrow-plan.ts'

/** What an `is:` term asks. Source: core-endpoints 5.1. */
export function compileIs(view: RealmView, viewer: Viewer, operand: string): CompiledTerm {
  switch (operand) {
    case 'dm':
    case 'private':
      return { tests: { recipient: ({ kind }) => kind === 'conversation' }, hints: { kind: 'direct' } }
    case 'starred':
      return flagged(view, viewer, FLAG_BIT.starred)
    case 'alerted':
      return flagged(view, viewer, FLAG_BIT.has_alert_word)
    case 'mentioned':
      return mentioned(view, viewer)
    case 'unread':
      return { tests: { message: isUnread(view, viewer) }, hints: unreadPlaces(view, viewer) }
    case 'resolved':
      return {
        tests: { topic: (topic) => topic?.name.startsWith(RESOLVED_TOPIC_PREFIX) ?? false },
        hints: { inChannels: true, topics: (ids) => topicIdsPrefixed(view.sql, ids, RESOLVED_TOPIC_PREFIX) },
      }
    case 'followed':
      return followed(view, viewer)
    case 'muted': {
      const { topic } = notMuted(view, viewer)
      return { tests: { topic: (value) => !topic(value) }, hints: { inChannels: true } }
    }
    default:
      throw new BadNarrowError(`unknown 'is' operand ${operand}`)
  }
}

/**
 * Neither muted itself nor in a muted channel without being unmuted or followed. With `exceptChannels`,
 * whoever looks into one channel sees it although it is muted.
 */
export function notMuted(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Viewer,
  { exceptChannels = false } = {},
): Required<Pick<TermTests, 'topic'>> {
  const { isMuted, policyOf } = topicAttention(sql, user.id)
  return {
    topic: (topic) =>
      topic === undefined ||
      !(exceptChannels
        ? policyOf(topic.channelId, topic.name) === TOPIC_POLICY.muted
        : isMuted(topic.channelId, topic.name)),
  }
}

/** Received, and not read yet. What was never received counts as read. */
export function isUnread(view: Pick<RealmView, 'sql'>, viewer: Viewer): (message: IndexedMessage) => boolean {
  const read = new ReadSet(view.sql, viewer.user).loadAll()
  const access = accessReader(view, viewer)
  return (message) => !isRead(message, viewer.user, read) && access(message).hasRecord
}

/** Above the floor of what is read, or among what is unread all the same. */
function unreadPlaces({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer): CompiledTerm['hints'] {
  const read = new ReadSet(sql, user)
  return { since: read.floor, besides: read.unreadBelowFloor() }
}

function flagged({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer, bits: number): CompiledTerm {
  const ids = messagesWithFlag(sql, user.id, bits)
  const known = new Set(ids)
  return { tests: { message: ({ id }) => known.has(id) }, hints: { ids: () => ids } }
}

function followed({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer): CompiledTerm {
  const { policyOf } = topicAttention(sql, user.id)
  const isFollowed = ({ channelId, name }: Topic) => policyOf(channelId, name) === TOPIC_POLICY.followed
  return {
    tests: { topic: (topic) => topic !== undefined && isFollowed(topic) },
    hints: {
      inChannels: true,
      topics: () =>
        [...topicsById(sql, topicIdsWithPolicy(sql, user.id, [TOPIC_POLICY.followed])).values()].map(
          ({ id, channelId }) => [channelId, id],
        ),
    },
  }
}

/** Personally, through a group, or as everybody who received a wildcard mention. */
function mentioned(view: Pick<RealmView, 'sql'>, viewer: Viewer): CompiledTerm {
  const { sql } = view
  const personal = flagged(
    view,
    viewer,
    FLAG_BIT.mentioned | FLAG_BIT.stream_wildcard_mentioned | FLAG_BIT.topic_wildcard_mentioned,
  )
  const access = accessReader(view, viewer)
  const isCalled = (message: IndexedMessage) =>
    callsReceiver(message, viewer.user, flagBits(sql, viewer.user.id, message.id) ?? 0)
  return {
    tests: {
      message: (message) =>
        personal.tests.message!(message) || (isCalled(message) && access(message).hasRecord),
    },
    hints: {
      ids: () => [...new Set([...personal.hints.ids!(), ...messagesWithWildcard(sql)])].sort((a, b) => a - b),
    },
  }
}
