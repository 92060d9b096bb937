import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../../rules/topic-rules.ts'
import { FLAG_BIT } from '../../../store/messages/flags/message-bits.ts'
import type { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { type Topic, topicIdsPrefixed } from '../../../store/messages/topic-rows.ts'
import { TOPIC_POLICY } from '../../../store/user-topics/user-topic-rows.ts'
import { flagReader } from '../flags/flag-reader.ts'
import { isRead } from '../flags/message-flags.ts'
import { mentionsReceiver } from '../flags/wildcard-mention.ts'
import { accessReader, type Viewer } from '../read/message-access.ts'
import type { CompiledTerm, TermTests } from './narrow-plan.ts'
import type { ViewerFacts } from './viewer-facts.ts'

/** Compiles the tests of an `is:` term. Source: docs/interface/reading.md#narrows. */
export function compileIs(
  view: RealmView,
  viewer: Viewer,
  facts: ViewerFacts,
  operand: string,
): CompiledTerm {
  switch (operand) {
    case 'dm':
    case 'private':
      return { tests: { recipient: ({ kind }) => kind === 'conversation' }, hints: { kind: 'direct' } }
    case 'starred':
      return flagged(view, viewer.user.id, FLAG_BIT.starred)
    case 'alerted':
      return flagged(view, viewer.user.id, FLAG_BIT.has_alert_word)
    case 'mentioned':
      return mentioned(view, viewer)
    case 'unread': {
      const read = facts.readSet()
      return { tests: { message: isUnread(view, viewer, read) }, hints: { unread: read } }
    }
    case 'resolved':
      return {
        tests: { topic: (topic) => topic?.name.startsWith(RESOLVED_TOPIC_PREFIX) ?? false },
        hints: { inChannels: true, topics: (ids) => topicIdsPrefixed(view.sql, ids, RESOLVED_TOPIC_PREFIX) },
      }
    case 'followed':
      return followed(facts)
    case 'muted': {
      const { topic } = notMuted(facts)
      return {
        tests: { topic: (value) => !topic(value) },
        hints: { inChannels: true, attention: 'muted' },
        hintsOfNegated: { attention: 'wanted' },
      }
    }
    default:
      throw new BadNarrowError(`unknown 'is' operand ${operand}`)
  }
}

/**
 * Returns the condition for messages that are not muted: neither their topic is, nor their channel without the topic being
 * unmuted or followed. With `exceptChannels`, messages of a named channel count although it is muted.
 */
export function notMuted(
  facts: ViewerFacts,
  { exceptChannels = false } = {},
): Required<Pick<TermTests, 'topic'>> {
  const { isMuted, policyOf } = facts.attention()
  return {
    topic: (topic) =>
      topic === undefined ||
      !(exceptChannels
        ? policyOf(topic.channelId, topic.name) === TOPIC_POLICY.muted
        : isMuted(topic.channelId, topic.name)),
  }
}

/** Received, and not read yet. Messages that were never received count as read. */
export function isUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  read: ReadSet,
): (message: IndexedMessage) => boolean {
  const access = accessReader(view, viewer, flagReader(view.sql, viewer.user.id))
  return (message) => !isRead(message, viewer.user, read) && access(message).hasRecord
}

/** Messages with these bits in the row of a user, perhaps of another than the viewer. */
export function flagged({ sql }: Pick<RealmView, 'sql'>, userId: number, bits: number): CompiledTerm {
  const bitsOf = flagReader(sql, userId)
  return {
    tests: { message: ({ id }) => ((bitsOf(id) ?? 0) & bits) !== 0 },
    hints: { flags: { userId, bits, orWildcard: false } },
  }
}

function followed(facts: ViewerFacts): CompiledTerm {
  const { policyOf } = facts.attention()
  const isFollowed = ({ channelId, name }: Topic) => policyOf(channelId, name) === TOPIC_POLICY.followed
  return {
    tests: { topic: (topic) => topic !== undefined && isFollowed(topic) },
    hints: { inChannels: true, topics: () => facts.topicsWith([TOPIC_POLICY.followed]) },
  }
}

const MENTION_BITS =
  FLAG_BIT.mentioned | FLAG_BIT.stream_wildcard_mentioned | FLAG_BIT.topic_wildcard_mentioned

/** Mentioned personally, through a group, or as a receiver of a wildcard mention. */
function mentioned(view: Pick<RealmView, 'sql'>, viewer: Viewer): CompiledTerm {
  const bitsOf = flagReader(view.sql, viewer.user.id)
  const access = accessReader(view, viewer, bitsOf)
  return {
    tests: {
      message: (message) => {
        const bits = bitsOf(message.id) ?? 0
        if ((bits & MENTION_BITS) !== 0) return true
        return mentionsReceiver(message, viewer.user, bits) && access(message).hasRecord
      },
    },
    hints: { flags: { userId: viewer.user.id, bits: MENTION_BITS, orWildcard: true } },
  }
}
