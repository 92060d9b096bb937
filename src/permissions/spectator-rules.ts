import { notLoggedIn } from './access.ts'
import type { ChannelFacts } from './channel-rules.ts'

/**
 * Rules of who may read without an account, and what. Source: docs/interface/visitors.md#when;
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages;
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */

/** Everything that is said in such a channel is open to the web. */
export function isOpenToSpectators(
  channel: Pick<ChannelFacts, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>,
): boolean {
  return channel.isWebPublic && !channel.isPrivate && channel.historyPublicToSubscribers
}

interface Term {
  readonly operator: string
  readonly operand: unknown
  readonly negated: boolean
}

/** The terms that a spectator's narrow may have, beside the one that it must have. */
const SPECTATOR_OPERATORS = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
])

/** Clients add it to every narrow: nothing is muted for a spectator. */
export function isWithoutMeaningToSpectators({ operator, operand, negated }: Term): boolean {
  return operator === 'in' && operand === 'home' && !negated
}

/**
 * A narrow without an account names the web-public channels, and asks nothing that is somebody's own.
 * @throws UnauthorizedError
 */
export function requireSpectatorNarrow(terms: readonly Term[]): void {
  const asked = terms.filter((term) => !isWithoutMeaningToSpectators(term))
  const namesPublic = asked.some(
    ({ operator, operand, negated }) => operator === 'channels' && operand === 'web-public' && !negated,
  )
  if (!namesPublic || !asked.every(mayAsk)) throw notLoggedIn()
}

function mayAsk({ operator, operand }: Term): boolean {
  return SPECTATOR_OPERATORS.has(operator) || (operator === 'is' && operand === 'resolved')
}
