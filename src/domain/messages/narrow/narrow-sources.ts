import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import type { MessageRange } from './message-range.ts'
import {
  indexSource,
  listedSource,
  type MessageSource,
  sparseSource,
  unreadBelowFloorSource,
  wildcardSource,
} from './message-source-rows.ts'
import type { NarrowPlan } from './narrow-plan.ts'
import { postedMessages } from './posted-messages.ts'
import type { Universe } from './universe.ts'

/** The number of topics up to which they are walked one by one. */
const MOST_TOPICS = 2_000

/**
 * The sources that the messages of a narrow can be in: as few and as short ranges of the index as its terms allow, so that a
 * topic's messages are found without looking at any other (docs/decisions/design.md#no-row-for-each-recipient).
 */
export function sourcesOf(sql: Sql, plan: NarrowPlan, universe: Universe, userId: number): MessageSource[] {
  if (plan.ids) return [listedSource(sql, plan.ids)]
  if (plan.flags) {
    const { bits, orWildcard } = plan.flags
    const flagged = sparseSource(sql, userId, 0, bits)
    return orWildcard ? [flagged, wildcardSource(sql, 0)] : [flagged]
  }
  const asked = universe.ranges().filter(({ recipientId }) => {
    const recipient = recipientOf(recipientId)
    if (plan.isChannelOnly && recipient.kind !== 'channel') return false
    return plan.recipientTests.every((passes) => passes(recipient))
  })
  const posted = plan.unread ? undefined : postedMessages(sql, plan, asked)
  const since = plan.unread?.floor ?? posted?.since ?? 0
  const ranges = asked.map((range) => ({ ...range, since: Math.max(range.since, since) }))
  const found =
    topicSources(sql, ranges, plan) ??
    attentionSources(sql, ranges, plan) ??
    ranges.map((range) => indexSource(sql, 'recipient_id', range.recipientId, range, plan.filter))
  // A conversation's messages are all received: sparse rows add nothing to them.
  if (universe.includesSparse && !plan.isDirectOnly) found.push(sparseSource(sql, userId, since))
  if (plan.unread) found.push(unreadBelowFloorSource(sql, plan.unread))
  if (posted && posted.besides.length > 0) found.push(listedSource(sql, posted.besides))
  return found
}

/** Are messages looked for in so many channels and conversations that it is as well to begin with the organization's newest ones? */
export function isBroad(plan: NarrowPlan): boolean {
  return !(
    plan.ids ||
    plan.flags ||
    plan.unread ||
    plan.topics ||
    plan.isDirectOnly ||
    plan.channels.length > 0 ||
    plan.attention === 'muted' ||
    plan.filter.senderId !== undefined ||
    plan.filter.bits !== 0
  )
}

/**
 * The sources of the topics that a narrow names; undefined when no topics are named, or so many that their channels are read
 * faster as a whole.
 */
function topicSources(
  sql: Sql,
  ranges: readonly MessageRange[],
  plan: NarrowPlan,
): MessageSource[] | undefined {
  const topics = plan.topics?.([...new Set(ranges.map(channelOf))])
  if (!topics || topics.length > MOST_TOPICS) return undefined
  return sourcesOfTopics(sql, ranges, topics, plan)
}

function sourcesOfTopics(
  sql: Sql,
  ranges: readonly MessageRange[],
  topics: readonly (readonly [channelId: number, topicId: number])[],
  plan: NarrowPlan,
): MessageSource[] {
  const rangesOf = Map.groupBy(ranges, channelOf)
  return topics.flatMap(([channelId, topicId]) =>
    (rangesOf.get(channelId) ?? []).map((range) => indexSource(sql, 'topic_id', topicId, range, plan.filter)),
  )
}

/**
 * The sources of muted messages, or of the others. The muted ones are in muted channels and in topics muted by themselves; the
 * others are outside of them, or in topics that were unmuted there. So nobody looks through what is not asked for.
 */
function attentionSources(
  sql: Sql,
  ranges: readonly MessageRange[],
  plan: NarrowPlan,
): MessageSource[] | undefined {
  if (!plan.attention) return undefined
  const { mutedChannels, mutedTopics, unmutedTopics } = plan.facts.muting()
  const isInMuted = (range: MessageRange) =>
    recipientOf(range.recipientId).kind === 'channel' && mutedChannels.has(channelOf(range))
  const isMutedAsked = plan.attention === 'muted'
  const topics = isMutedAsked ? mutedTopics() : unmutedTopics()
  if (topics.length > MOST_TOPICS) return undefined
  const [whole, byTopic] = [
    ranges.filter((range) => isInMuted(range) === isMutedAsked),
    ranges.filter(
      (range) => recipientOf(range.recipientId).kind === 'channel' && isInMuted(range) !== isMutedAsked,
    ),
  ]
  return [
    ...whole.map((range) => indexSource(sql, 'recipient_id', range.recipientId, range, plan.filter)),
    ...sourcesOfTopics(sql, byTopic, topics, plan),
  ]
}

function channelOf({ recipientId }: MessageRange): number {
  return recipientOf(recipientId).id
}
