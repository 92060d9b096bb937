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

/** Number of topics up to which they are walked through one by one. */
const MAX_TOPICS = 2_000

/**
 * Returns the sources in which a narrow's messages can be: as few and as short ranges of the index as its
 * terms allow, so that a topic's messages are found without reading others
 * (docs/decisions/design.md#no-row-for-each-recipient).
 */
export function sourcesOf(sql: Sql, plan: NarrowPlan, universe: Universe, userId: number): MessageSource[] {
  if (plan.ids) return [listedSource(sql, plan.ids)]
  if (plan.flags) {
    const { bits, orWildcard } = plan.flags
    const flagged = sparseSource(sql, userId, 0, bits)
    return orWildcard ? [flagged, wildcardSource(sql, 0)] : [flagged]
  }
  const asked = askedRanges(plan, universe)
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

/** Returns the ranges of the channels and conversations that the narrow allows. */
function askedRanges(plan: NarrowPlan, universe: Universe): MessageRange[] {
  const ranges = universe
    .ranges()
    .map((range) => ({ range, recipient: recipientOf(range.recipientId) }))
    .filter(({ recipient }) => !plan.isChannelOnly || recipient.kind === 'channel')
  const tests = plan.recipientTestsAmong(ranges.map(({ recipient }) => recipient))
  return ranges.flatMap(({ range, recipient }) => (tests.every((passes) => passes(recipient)) ? range : []))
}

/**
 * Whether the narrow covers so many channels and conversations that reading may begin with the organization's
 * newest messages.
 */
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
 * Returns the sources of the topics that a narrow names; undefined when none are named, or so many that their
 * channels are read faster as a whole.
 */
function topicSources(
  sql: Sql,
  ranges: readonly MessageRange[],
  plan: NarrowPlan,
): MessageSource[] | undefined {
  const topics = plan.topics?.([...new Set(ranges.map(channelOf))])
  if (!topics || topics.length > MAX_TOPICS) return undefined
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
 * Returns the sources of muted messages, or of the others. Muted ones are in muted channels and in muted
 * topics; others are outside of them, or in topics that were unmuted there. So nothing else is read.
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
  if (topics.length > MAX_TOPICS) return undefined
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
