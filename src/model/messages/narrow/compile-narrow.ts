import { BadNarrowError } from '../../../core/errors.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Viewer } from '../read/message-access.ts'
import { compileTerm } from './compile-term.ts'
import { type CompiledTerm, intersect, type NarrowPlan, noneOf, testsOf } from './narrow-plan.ts'
import type { NarrowTerm } from './narrow-terms.ts'
import { viewerFacts } from './viewer-facts.ts'

/**
 * Compiles a narrow. The terms must be without `with` (see resolve-with.ts). `hits` are the messages that its
 * `search` terms have found (see search/hits-among.ts); these terms test nothing themselves.
 * @throws BadNarrowError for the first term that makes no sense.
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
    isWebPublicChannels: hints.some(({ webPublicChannels }) => webPublicChannels),
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

/** Returns each term once: all terms must match, and each is tested for every message. */
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
