import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../../core/recipient-id.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../permissions/topic-rules.ts'
import { openChannelReader, openChannelsAmong } from '../../channels/public-channel-rows.ts'
import { findConversation, groupConversations } from '../conversation-rows.ts'
import { MESSAGE_BIT, NAMED_BIT } from '../flags/message-bits.ts'
import type { Viewer } from '../read/message-access.ts'
import { topicIdsNamed, topicKey } from '../topic-rows.ts'
import { compileIs, flagged, notMuted } from './compile-is.ts'
import { channelNamed, userNamed, usersNamed } from './named-in-narrow.ts'
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
    const isAsked = openChannelReader(view.sql, operand)
    return {
      tests: {
        recipient: ({ kind, id }) => kind === 'channel' && isAsked(id),
        recipientAmong(recipients) {
          const ids = recipients.flatMap(({ kind, id }) => (kind === 'channel' ? id : []))
          const asked = openChannelsAmong(view.sql, operand, ids)
          return ({ kind, id }) => kind === 'channel' && asked.has(id)
        },
      },
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

/** Returns the ids of the viewer's conversations in which somebody takes part. */
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
