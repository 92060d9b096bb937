import { notLoggedIn } from './access.ts'
import type { ChannelFacts } from './channel-rules.ts'

/**
 * Rules for reading without an account. Source: docs/interface/visitors.md#when; docs/interface/visitors.md#routes;
 * docs/interface/visitors.md#messages; docs/decisions/interface.md#stricter-than-the-public-server.
 */

/** Whether everything in the channel is open to the web. */
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

/** Terms that a spectator's narrow may have, besides the required one. */
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

/** Whether a term has no meaning for spectators: clients add it to every narrow, and nothing is muted for a spectator. */
export function isWithoutMeaningToSpectators({ operator, operand, negated }: Term): boolean {
  return operator === 'in' && operand === 'home' && !negated
}

/** Requires that a spectator's narrow names the web-public channels, and has no personal terms. @throws UnauthorizedError */
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
