import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { postedBelow, postedIds, postingKey } from '../../store/messages/message-posting-rows.ts'
import { haveFewer } from '../../store/messages/message-rows.ts'
import {
  listedSource,
  type MessageRange,
  type MessageSource,
  RecipientSource,
  rangesSource,
  sparseSource,
  unreadBelowFloorSource,
  wildcardSource,
} from '../../store/messages/narrow/message-source-rows.ts'
import type { CandidateSet } from './candidate-set.ts'
import { MAX_TOPICS, type NarrowPlan } from './narrow-plan.ts'

/**
 * Returns the sources of a narrow's messages: as few and as short ranges of the index as its terms allow, so that, for
 * example, a topic's messages are found without reading others (docs/decisions/design.md#no-row-for-each-recipient).
 */
export function sourcesOf(
  sql: Sql,
  plan: NarrowPlan,
  candidates: CandidateSet,
  askedRanges: () => readonly MessageRange[],
  userId: number,
): MessageSource[] {
  if (plan.ids) return [listedSource(sql, plan.ids)]
  if (plan.flags) {
    const { userId: flaggedId, bits, orWildcard } = plan.flags
    const flagged = sparseSource(sql, flaggedId, 0, bits)
    return orWildcard ? [flagged, wildcardSource(sql, 0)] : [flagged]
  }
  const asked = askedRanges()
  const posted = plan.unread ? undefined : postedMessages(sql, plan, asked)
  const since = plan.unread?.floor ?? posted?.since ?? 0
  const ranges = since === 0 ? asked : beginningAt(asked, since)
  const found =
    topicSources(sql, ranges, plan) ??
    attentionSources(sql, ranges, plan) ??
    sourcesOfRecipients(sql, ranges, plan)
  // All messages of a conversation are received, so sparse rows add nothing.
  if (candidates.includesSparse && !plan.isDirectOnly) found.push(sparseSource(sql, userId, since))
  if (plan.unread) found.push(unreadBelowFloorSource(sql, plan.unread))
  if (posted && posted.besides.length > 0) found.push(listedSource(sql, posted.besides))
  return found
}

/** Returns the ranges of the channels and conversations that the narrow allows. */
export function askedRanges(plan: NarrowPlan, candidates: CandidateSet): readonly MessageRange[] {
  const ranges = candidates.ranges(plan)
  if (!plan.isChannelOnly && plan.recipientTests.length === 0) return ranges
  return ranges.filter(({ recipientId }) => {
    const recipient = recipientOf(recipientId)
    const isAsked = !plan.isChannelOnly || recipient.kind === 'channel'
    return isAsked && plan.recipientTests.every((passes) => passes(recipient))
  })
}

/** Returns the parts of the ranges above an id. */
function beginningAt(ranges: readonly MessageRange[], since: number): MessageRange[] {
  return ranges.flatMap((range) => {
    if (range.until <= since) return []
    return range.since >= since ? range : { ...range, since }
  })
}

/** Whether the narrow covers so many places that reading may begin with the organization's newest messages. */
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

/** Returns the sources of the named topics; undefined for none, or so many that their channels are read faster as a whole. */
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
  { filter }: NarrowPlan,
): MessageSource[] {
  const rangesOf = Map.groupBy(ranges, channelOf)
  return topics.flatMap(([channelId, topicId]) => {
    const own = rangesOf.get(channelId)
    return own ? rangesSource(sql, 'topic_id', topicId, own, filter) : []
  })
}

/** Returns one source for each channel and conversation, of which there may be thousands. */
function sourcesOfRecipients(
  sql: Sql,
  ranges: readonly MessageRange[],
  { filter }: NarrowPlan,
): MessageSource[] {
  // A conversation has one range.
  const [ofChannels, ofConversations] = byKind(ranges)
  const rangesOf = Map.groupBy(ofChannels, (range) => range.recipientId)
  return [
    ...Array.from(rangesOf, ([recipientId, own]) => new RecipientSource(sql, recipientId, own, filter)),
    ...ofConversations.map((range) => new RecipientSource(sql, range.recipientId, [range], filter)),
  ]
}

/** Returns the sources of messages in muted channels and topics; or of the others, with topics unmuted in muted channels. */
function attentionSources(
  sql: Sql,
  ranges: readonly MessageRange[],
  plan: NarrowPlan,
): MessageSource[] | undefined {
  if (!plan.attention) return undefined
  const { mutedChannels, mutedTopics, unmutedTopics } = plan.facts.muting()
  const isInMuted = (range: MessageRange) => mutedChannels.has(channelOf(range))
  const isMutedAsked = plan.attention === 'muted'
  const topics = isMutedAsked ? mutedTopics() : unmutedTopics()
  if (topics.length > MAX_TOPICS) return undefined
  const [ofChannels, ofConversations] = byKind(ranges)
  const whole = ofChannels.filter((range) => isInMuted(range) === isMutedAsked)
  const byTopic = ofChannels.filter((range) => isInMuted(range) !== isMutedAsked)
  return [
    ...sourcesOfRecipients(sql, isMutedAsked ? whole : [...whole, ...ofConversations], plan),
    ...sourcesOfTopics(sql, byTopic, topics, plan),
  ]
}

function byKind(
  ranges: readonly MessageRange[],
): [ofChannels: MessageRange[], ofConversations: MessageRange[]] {
  const [ofChannels, ofConversations]: [MessageRange[], MessageRange[]] = [[], []]
  for (const range of ranges) {
    if (recipientOf(range.recipientId).kind === 'channel') ofChannels.push(range)
    else ofConversations.push(range)
  }
  return [ofChannels, ofConversations]
}

function channelOf({ recipientId }: MessageRange): number {
  return recipientOf(recipientId).id
}

/** Number of postings from which reading the channels and conversations finds messages soon enough. */
const MAX_POSTED = 10_000

/**
 * Returns where to look for messages of a sender, with an image and so on: above `since` as usual, and up to there only among `besides`.
 * Undefined when the narrow has no such term, when reading everything is as good, or when it names a topic or a few short conversations.
 */
function postedMessages(
  sql: Sql,
  { filter, topics, channels, isDirectOnly }: NarrowPlan,
  ranges: readonly MessageRange[],
): { readonly since: number; readonly besides: readonly number[] } | undefined {
  const keys = keysOf(filter)
  if (keys.length === 0 || topics) return undefined
  const below = postedBelow(sql)
  if (below === 0) return undefined
  const [shortest] = keys
    .flatMap((key) => {
      const ids = postedIds(sql, key, MAX_POSTED)
      return ids ? [ids] : []
    })
    .sort((a, b) => a.length - b.length)
  if (!shortest) return undefined
  const isNamed = isDirectOnly || channels.length > 0
  if (isNamed && haveFewer(sql, ranges, shortest.length)) return undefined
  return { since: below - 1, besides: shortest }
}

function keysOf({ senderId, bits }: NarrowPlan['filter']): number[] {
  const keys = senderId === undefined ? [] : [postingKey({ senderId })]
  for (let bit = 1; bit <= bits; bit *= 2) if ((bits & bit) !== 0) keys.push(postingKey({ bit }))
  return keys
}
