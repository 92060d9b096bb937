import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../../core/recipient-id.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../rules/topic-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { publicChannels, webPublicChannels } from '../../../store/channels/public-channel-rows.ts'
import { findConversation, groupConversations } from '../../../store/messages/conversation-rows.ts'
import { MESSAGE_BIT, NAMED_BIT } from '../../../store/messages/flags/message-bits.ts'
import { topicIdsNamed, topicKey } from '../../../store/messages/topic-rows.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { findVisibleChannel } from '../../channels/visibility/find-for-caller.ts'
import { findUserAtAddress } from '../../users/addresses/find-by-address.ts'
import type { Viewer } from '../read/message-access.ts'
import { compileIs, flagged, notMuted } from './compile-is.ts'
import type { CompiledTerm } from './narrow-plan.ts'
import { idOperand, type NarrowTerm, type Operand } from './narrow-terms.ts'
import type { ViewerFacts } from './viewer-facts.ts'

type Compile = (view: RealmView, viewer: Viewer, operand: Operand, facts: ViewerFacts) => CompiledTerm

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
      hints: {
        kind: 'channel',
        ...(operand === 'public' ? { publicChannels: true } : { webPublicChannels: true }),
      },
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
  is: (view, viewer, operand, facts) => compileIs(view, viewer, facts, String(operand)),
}

const HAS_BITS: ReadonlyMap<unknown, number> = new Map([
  ['attachment', MESSAGE_BIT.hasAttachment],
  ['image', MESSAGE_BIT.hasImage],
  ['link', MESSAGE_BIT.hasLink],
  ['reaction', MESSAGE_BIT.hasReaction],
])

export function compileTerm(
  view: RealmView,
  viewer: Viewer,
  facts: ViewerFacts,
  term: NarrowTerm,
): CompiledTerm {
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
 * The users and channels that the operands of a narrow name. A channel that the viewer may not know of is
 * like one that does not exist (docs/decisions/interface.md#stricter-than-the-public-server); others only
 * have to exist, since without access there are no messages.
 */

/** Finds a channel. Text is first a name, and only then an id in digits. */
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

/** Returns ids of a direct conversation's participants as the operand lists them, without duplicates. */
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

/** Returns the operand as the error texts quote it. */
function describe(operand: Operand): string {
  return Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)
}
