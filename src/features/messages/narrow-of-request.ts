import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { BadNarrowError } from '../../core/errors.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { messageAccess, type Viewer } from '../../model/messages/read/message-access.ts'
import { RowLimit } from '../../model/narrows/message-window.ts'
import { idOperand, type NarrowTerm, searchTermsOf } from '../../model/narrows/narrow-terms.ts'
import { textTest } from '../../model/narrows/search/text-test.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { findMessage, findMessages, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { topicById } from '../../store/messages/topic-rows.ts'

/** Terms that `with` replaces: they name the conversation. */
const CONVERSATION_TERMS = new Set(['channel', 'topic', 'dm'])

/**
 * Replaces `with` by the current conversation of its message, so that a link survives a move. A message that the viewer cannot see is
 * ignored if the other terms name a conversation. Source: docs/interface/reading.md#narrows.
 */
export function resolveWith(view: RealmView, viewer: Viewer, terms: readonly NarrowTerm[]): NarrowTerm[] {
  const withTerms = terms.filter(({ operator }) => operator === 'with')
  const others = terms.filter(({ operator }) => operator !== 'with')
  const [term, ...more] = withTerms
  if (!term) return [...terms]
  if (more.length > 0) throw new BadNarrowError("Duplicate 'with' operators.", 'operator combination')
  const id = idOperand(term.operand)
  if (id === undefined || term.negated) throw new BadNarrowError("Invalid 'with' operator")
  const message = findMessage(view.sql, id)
  if (message && mayReadMessage(viewer.actor, messageAccess(view, viewer, message))) {
    return [
      ...others.filter(({ operator, negated }) => negated || !CONVERSATION_TERMS.has(operator)),
      ...conversationOf(view, viewer, message),
    ]
  }
  if (!namesConversation(others)) throw new BadNarrowError("Invalid 'with' operator")
  return others
}

function conversationOf({ sql }: RealmView, { user }: Viewer, message: IndexedMessage): NarrowTerm[] {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    return [
      { operator: 'channel', operand: recipient.id, negated: false },
      { operator: 'topic', operand: topicById(sql, message.topicId)!.name, negated: false },
    ]
  }
  const { members } = conversationById(sql, recipient.id)!
  const others = members.filter((id) => id !== user.id)
  return [{ operator: 'dm', operand: others.length > 0 ? others : [user.id], negated: false }]
}

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const named = new Set(terms.filter(({ negated }) => !negated).map(({ operator }) => operator))
  return named.has('dm') || (named.has('channel') && named.has('topic'))
}

/** Returns those of the messages that pass the search. Does not check access. */
export function hitsAmong(
  view: RealmReads,
  terms: readonly NarrowTerm[],
  ids: readonly number[],
): readonly number[] | undefined {
  const { sql } = view
  const wanted = searchTermsOf(terms)
  if (!wanted) return undefined
  return view.fetch('search', async (stores) => {
    const test = textTest(sql, stores, wanted, new RowLimit(sql))
    const found: number[] = []
    for (const part of inParts(ids, ENTRIES_AT_ONCE)) {
      const passing = await stores.drive(test(findMessages(sql, part)))
      found.push(...passing.map(({ id }) => id))
    }
    return found.sort((a, b) => a - b)
  })
}
