import { BadNarrowError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, RESOLVED_TOPIC_PREFIX } from '../../rules/topic-rules.ts'
import { type Channel, publicChannels, webPublicChannels } from '../../store/channels/channel-rows.ts'
import { findConversation, groupConversations } from '../../store/messages/conversation-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, NAMED_BIT } from '../../store/messages/flags/message-bits.ts'
import type { ReadSet } from '../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { type Topic, topicIdsNamed, topicIdsPrefixed, topicKey } from '../../store/messages/topic-rows.ts'
import { TOPIC_POLICY } from '../../store/user-topics/user-topic-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { findVisibleChannel } from '../channels/visibility/find-for-caller.ts'
import { flagReader, isRead, mentionsReceiver } from '../messages/flags/message-flags.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'
import { findUserAtAddress } from '../users/addresses/find-by-address.ts'
import {
  type CompiledTerm,
  intersect,
  type NarrowPlan,
  noneOf,
  type TermTests,
  testsOf,
  type ViewerFacts,
  viewerFacts,
} from './narrow-plan.ts'
import { idOperand, type NarrowTerm, type Operand } from './narrow-terms.ts'

/**
 * Compiles a narrow without `with` (see narrow-of-request.ts). `hits`: the messages that its `search` terms have found;
 * these terms themselves test nothing.
 * @throws BadNarrowError for the first invalid term
 */
export function compileNarrow(
  view: RealmView,
  viewer: Viewer,
  terms: readonly NarrowTerm[],
  hits?: readonly number[],
): NarrowPlan {
  const compiled: (CompiledTerm & Pick<NarrowTerm, 'negated'>)[] = []
  const facts = viewerFacts(view, viewer)
  for (const term of withoutRepeated(terms)) {
    if (term.operator === 'search') continue
    const { tests, hints, hintsOfNegated = {} } = compileTerm(view, viewer, facts, term)
    compiled.push({ tests, hints: term.negated ? hintsOfNegated : hints, negated: term.negated })
    requireOneKind(compiled)
  }
  const testsWhere = (isNegated: boolean) =>
    compiled.flatMap(({ tests, negated }) => (negated === isNegated ? tests : []))
  const all = [...testsWhere(false).map(testsOf), ...noneOf(testsWhere(true))]
  const hints = compiled.map((one) => one.hints)
  return {
    recipientTests: all.flatMap(({ recipient }) => recipient ?? []),
    topicTests: all.flatMap(({ topic }) => topic ?? []),
    messageTests: all.flatMap(({ message }) => message ?? []),
    isDirectOnly: hints.some(({ kind }) => kind === 'direct'),
    isChannelOnly: hints.some(({ kind, inChannels }) => kind === 'channel' || inChannels),
    conversations: hints.find(({ conversations }) => conversations)?.conversations,
    channels: hints.flatMap(({ channel }) => channel ?? []),
    isPublicChannels: hints.some(({ publicChannels }) => publicChannels),
    topics: hints.find(({ topics }) => topics)?.topics,
    unread: hints.find(({ unread }) => unread)?.unread,
    flags: hints.find(({ flags }) => flags)?.flags,
    attention: hints.find(({ attention }) => attention)?.attention,
    facts,
    filter: {
      senderId: hints.find(({ senderId }) => senderId !== undefined)?.senderId,
      bits: hints.reduce((all, { bits = 0 }) => all | bits, 0),
    },
    ids: hints.reduce<readonly number[] | undefined>(
      (known, hint) => (hint.ids ? intersect(known, hint.ids()) : known),
      hits,
    ),
    isPersonal: terms.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved'),
  }
}

/** Returns each term once, since each is tested for every message. */
function withoutRepeated(terms: readonly NarrowTerm[]): NarrowTerm[] {
  const keyOf = ({ operator, operand, negated }: NarrowTerm) => JSON.stringify([operator, operand, negated])
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()]
}

function requireOneKind(compiled: readonly CompiledTerm[]): void {
  const kinds = new Set(compiled.flatMap(({ hints }) => hints.kind ?? []))
  if (kinds.size > 1) {
    throw new BadNarrowError(
      'No message can be both a channel message and direct message',
      'operator combination',
    )
  }
}

type Compile = (view: RealmView, viewer: Viewer, operand: Operand, facts: ViewerFacts) => CompiledTerm

/** Compiles the tests of an `is:` term. Source: docs/interface/reading.md#narrows. */
const compileIs: Compile = (view, viewer, operand, facts) => {
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
 * Returns the test for messages whose topic is not muted, and whose channel is not muted unless the topic is unmuted or
 * followed. With `exceptChannels`, a muted channel does not matter, since the narrow names it.
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

/** Returns a test for received, unread messages. Messages that were never received count as read. */
export function isUnread(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  read: ReadSet,
): (message: IndexedMessage) => boolean {
  const access = accessReader(view, viewer, flagReader(view.sql, viewer.user.id))
  return (message) => !isRead(message, viewer.user, read) && access(message).hasRecord
}

/** Messages with one of these bits in the row of a user, who need not be the viewer. */
function flagged({ sql }: Pick<RealmView, 'sql'>, userId: number, bits: number): CompiledTerm {
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

/** Messages that mention the viewer by name, through a group, or with a wildcard. */
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

/** Operators of a narrow, except `with` and `search`. Source: docs/interface/reading.md#narrows. */
const OPERATORS: Readonly<Record<string, Compile>> = {
  channel(view, viewer, operand) {
    const channel = channelNamed(view, viewer, operand)
    return {
      tests: { oneOf: { fact: 'recipient', values: new Set([channelRecipientId(channel.id)]) } },
      hints: { kind: 'channel', channel },
    }
  },
  channels(view, _viewer, operand) {
    if (operand !== 'public' && operand !== 'web-public') {
      throw new BadNarrowError(`unknown channels operand ${operand}`)
    }
    const asked = operand === 'public' ? publicChannels(view.sql) : webPublicChannels(view.sql)
    return {
      tests: { recipient: ({ kind, id }) => kind === 'channel' && asked.has(id) },
      hints: { kind: 'channel', ...(operand === 'public' ? { publicChannels: true } : {}) },
    }
  },
  topic({ sql }, _viewer, operand) {
    const key = topicKey(operand === EMPTY_TOPIC_DISPLAY_NAME ? '' : String(operand).trim())
    return {
      tests: { oneOf: { fact: 'topic', values: new Set([key]) } },
      hints: { kind: 'channel', topics: (channelIds) => topicIdsNamed(sql, channelIds, key) },
    }
  },
  dm(view, viewer, operand) {
    const ids = usersNamed(view, viewer, operand)
    const conversation = ids.length === 0 ? undefined : findConversation(view.sql, [...ids, viewer.user.id])
    return inConversations(conversation ? [conversation.id] : [])
  },
  'dm-including'(view, viewer, operand, facts) {
    return inConversations(conversationsWith(view, viewer, operand, facts))
  },
  'group-pm-with'(view, viewer, operand, facts) {
    return inConversations(groupConversations(view.sql, conversationsWith(view, viewer, operand, facts)))
  },
  sender(view, viewer, operand) {
    const { id } = userNamed(view, viewer, operand)
    return { tests: { oneOf: { fact: 'sender', values: new Set([id]) } }, hints: { senderId: id } }
  },
  mentions(view, viewer, operand) {
    const { id } = userNamed(view, viewer, operand)
    return flagged(view, id, NAMED_BIT)
  },
  // A position for the client to scroll to, without a test.
  near: () => ({ tests: {}, hints: {} }),
  id(_view, _viewer, operand) {
    const wanted = idOperand(operand)
    if (wanted === undefined) throw new BadNarrowError('Invalid message ID')
    return {
      tests: { oneOf: { fact: 'message', values: new Set([wanted]) } },
      hints: { ids: () => [wanted] },
    }
  },
  has(_view, _viewer, operand) {
    const bit = HAS_BITS.get(operand)
    if (bit === undefined) throw new BadNarrowError(`unknown 'has' operand ${operand}`)
    return { tests: { message: ({ bits }) => (bits & bit) !== 0 }, hints: { bits: bit } }
  },
  in(_view, _viewer, operand, facts) {
    if (operand === 'all') return { tests: {}, hints: {} }
    if (operand !== 'home') throw new BadNarrowError(`unknown 'in' operand ${operand}`)
    return { tests: notMuted(facts), hints: { attention: 'wanted' }, hintsOfNegated: { attention: 'muted' } }
  },
  is: compileIs,
}

const HAS_BITS: ReadonlyMap<unknown, number> = new Map([
  ['attachment', MESSAGE_BIT.hasAttachment],
  ['image', MESSAGE_BIT.hasImage],
  ['link', MESSAGE_BIT.hasLink],
  ['reaction', MESSAGE_BIT.hasReaction],
])

function compileTerm(view: RealmView, viewer: Viewer, facts: ViewerFacts, term: NarrowTerm): CompiledTerm {
  const compile = Object.hasOwn(OPERATORS, term.operator) ? OPERATORS[term.operator] : undefined
  if (!compile) throw new BadNarrowError(`unknown operator ${term.operator}`)
  return compile(view, viewer, term.operand, facts)
}

/** Returns the ids of the viewer's conversations in which a user takes part. */
function conversationsWith(
  view: RealmView,
  viewer: Viewer,
  operand: Operand,
  facts: ViewerFacts,
): readonly number[] {
  return facts.conversationsWith(userNamed(view, viewer, operand).id)
}

function inConversations(ids: readonly number[]): CompiledTerm {
  const values = new Set(ids.map((id) => recipientId({ kind: 'conversation', id })))
  return {
    tests: { oneOf: { fact: 'recipient', values } },
    hints: { kind: 'direct', conversations: values },
  }
}

/**
 * Returns the channel that an operand names: text is first a name, and only then an id in digits. A channel that the
 * viewer may not know of counts as absent (docs/decisions/interface.md#stricter-than-the-public-server).
 */
function channelNamed({ sql }: Pick<RealmView, 'sql'>, viewer: Viewer, operand: Operand): Channel {
  const byName = typeof operand === 'string' ? findVisibleChannel(sql, viewer, { name: operand }) : undefined
  const id = idOperand(operand)
  const channel = byName ?? (id === undefined ? undefined : findVisibleChannel(sql, viewer, { id }))
  if (!channel) throw new BadNarrowError(`unknown channel ${describe(operand)}`)
  return channel
}

/** Returns the user whom an operand names: by id, or by an address that the viewer may know. */
function userNamed(view: RealmView, viewer: Viewer, operand: Operand): User {
  const user = findNamedUser(view, viewer, operand)
  if (!user) throw new BadNarrowError(`unknown user ${describe(operand)}`)
  return user
}

/** Returns the ids of the participants that the operand lists, without duplicates. */
function usersNamed(view: RealmView, viewer: Viewer, operand: Operand): number[] {
  const named: readonly Operand[] = Array.isArray(operand)
    ? (operand as readonly number[])
    : String(operand)
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
  const ids = named.map((one) => {
    const user = findNamedUser(view, viewer, one)
    if (!user) throw new BadNarrowError(`unknown user in ${describe(operand)}`)
    return user.id
  })
  return [...new Set(ids)]
}

function findNamedUser(view: RealmView, viewer: Viewer, operand: Operand): User | undefined {
  const id = idOperand(operand)
  return id === undefined ? findUserAtAddress(view, viewer, String(operand)) : findUser(view.sql, id)
}

/** Returns the operand as errors quote it. */
function describe(operand: Operand): string {
  return Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)
}
