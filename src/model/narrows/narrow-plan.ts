import type { RealmView } from '../../core/realm-transaction.ts'
import { type Recipient, recipientId } from '../../core/recipient-id.ts'
import { once } from '../../core/remember.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { conversationIdsOfUser } from '../../store/messages/conversation-rows.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { RowFilter } from '../../store/messages/narrow/message-source-rows.ts'
import { type Topic, topicKey } from '../../store/messages/topic-rows.ts'
import { mutedChannelIds } from '../../store/subscriptions/subscription-rows.ts'
import { TOPIC_POLICY, type TopicPolicy, topicsWithPolicy } from '../../store/user-topics/user-topic-rows.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import { topicAttention } from '../user-topics/topic-attention.ts'

/** A term's tests of a channel or conversation, a topic, or a message: the wider the level that decides, the less is read. */
export interface TermTests {
  readonly recipient?: (recipient: Recipient) => boolean
  /** Undefined for a direct message. */
  readonly topic?: (topic: Topic | undefined) => boolean
  readonly message?: (message: IndexedMessage) => boolean
  /** In place of the others, where one fact decides: many such negated terms become one test. */
  readonly oneOf?: OneOf
}

/** Values of a fact that pass. Topics are compared by `topicKey`; direct messages have none. */
type OneOf =
  | { readonly fact: 'sender' | 'message' | 'recipient'; readonly values: ReadonlySet<number> }
  | { readonly fact: 'topic'; readonly values: ReadonlySet<string> }

/** Hints where the messages of a term are. */
interface TermHints {
  /** Whether it names channels or people: a narrow cannot ask for both. */
  readonly kind?: 'channel' | 'direct'
  /** Set if all of its messages are in these conversations of the viewer, by their recipient ids. */
  readonly conversations?: ReadonlySet<number>
  /** Set if no direct message matches. */
  readonly inChannels?: true
  readonly channel?: Channel
  readonly publicChannels?: true
  /** Set if all of its messages are in these topics: pairs of channel and topic, of the requested channels. */
  readonly topics?: (
    channelIds: readonly number[],
  ) => readonly (readonly [channelId: number, topicId: number])[]
  /** Set if all of its messages are unread by this set: above its floor, or unread below it. */
  readonly unread?: ReadSet
  /** Set if, for each of its messages, a user has a row of flags with one of these bits, or it has a wildcard mention. */
  readonly flags?: FlaggedMessages
  /** Set if all of its messages are muted by the viewer, or none of them. */
  readonly attention?: 'muted' | 'wanted'
  readonly senderId?: number
  /** Bits of `message_index.bits` that all of its messages have. */
  readonly bits?: number
  /** Set if all of its messages are among these; ascending. */
  readonly ids?: () => number[]
}

interface FlaggedMessages {
  readonly userId: number
  readonly bits: number
  readonly orWildcard: boolean
}

export interface CompiledTerm {
  readonly tests: TermTests
  readonly hints: TermHints
  readonly hintsOfNegated?: TermHints
}

type Test<Value> = (value: Value) => boolean

/** A compiled narrow: tests to pass, and where to look. */
export interface NarrowPlan {
  readonly recipientTests: readonly Test<Recipient>[]
  readonly topicTests: readonly Test<Topic | undefined>[]
  readonly messageTests: readonly Test<IndexedMessage>[]
  readonly isDirectOnly: boolean
  readonly isChannelOnly: boolean
  /** The conversations that one of its terms allows; undefined for all. */
  readonly conversations: TermHints['conversations']
  /** Channels that it names without negation. */
  readonly channels: readonly Channel[]
  readonly isPublicChannels: boolean
  /** Undefined where the topic does not matter, or is not known beforehand. */
  readonly topics: TermHints['topics']
  readonly unread: TermHints['unread']
  readonly flags: TermHints['flags']
  readonly attention: TermHints['attention']
  readonly facts: ViewerFacts
  readonly filter: RowFilter
  /** Ascending; undefined where messages have to be looked for. */
  readonly ids: readonly number[] | undefined
  /** Whether it has an `is:` term that needs the user's own records. */
  readonly isPersonal: boolean
}

export function testsOf(tests: TermTests): TermTests {
  const { oneOf } = tests
  if (!oneOf) return tests
  const { fact, values } = oneOf
  if (fact === 'topic') return { topic: (topic) => topic !== undefined && values.has(topicKey(topic.name)) }
  if (fact === 'sender') return { message: ({ senderId }) => values.has(senderId) }
  if (fact === 'message') return { message: ({ id }) => values.has(id) }
  return { recipient: (recipient) => values.has(recipientId(recipient)) }
}

/** Returns the tests of negated terms, with those that one fact decides joined. */
export function noneOf(terms: readonly TermTests[]): TermTests[] {
  const byFact = Map.groupBy(
    terms.flatMap(({ oneOf }) => oneOf ?? []),
    ({ fact }) => fact,
  )
  return [
    ...terms.filter(({ oneOf }) => !oneOf).map(not),
    ...Array.from(byFact, ([fact, facts]) => {
      const values = new Set(facts.flatMap(({ values }): (number | string)[] => [...values]))
      return not(testsOf({ oneOf: { fact, values } as OneOf }))
    }),
  ]
}

function not(tests: TermTests): TermTests {
  const { recipient, topic, message } = tests
  return {
    ...(recipient ? { recipient: (value) => !recipient(value) } : {}),
    ...(topic ? { topic: (value) => !topic(value) } : {}),
    ...(message ? { message: (value) => !message(value) } : {}),
  }
}

/** Returns what is in both lists, ascending. */
export function intersect(left: readonly number[] | undefined, right: readonly number[]): readonly number[] {
  if (left === undefined) return right
  const known = new Set(right)
  return left.filter((id) => known.has(id))
}

/** Number of topics up to which they are read one by one. */
export const MAX_TOPICS = 2_000

export type ViewerFacts = ReturnType<typeof viewerFacts>

/** Returns facts about the viewer for the terms of a narrow, each read once, when it is first needed. */
export function viewerFacts({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer) {
  /** Returns at most one more than MAX_TOPICS. */
  const topicsWith = (policies: readonly TopicPolicy[]) =>
    topicsWithPolicy(sql, user.id, policies, MAX_TOPICS + 1)
  const own = once(() => new Set(conversationIdsOfUser(sql, user.id)))
  return {
    attention: once(() => topicAttention(sql, user.id)),
    muting: once(() => ({
      mutedChannels: mutedChannelIds(sql, user.id),
      mutedTopics: () => topicsWith([TOPIC_POLICY.muted]),
      /** Topics that are wanted although their channel is muted, including followed ones. */
      unmutedTopics: () => topicsWith([TOPIC_POLICY.unmuted, TOPIC_POLICY.followed]),
    })),
    /** Returns the ids of the viewer's conversations in which a user takes part. */
    conversationsWith: (userId: number) => conversationIdsOfUser(sql, userId).filter((id) => own().has(id)),
    readSet: once(() => new ReadSet(sql, user).loadAll()),
    topicsWith,
  }
}
