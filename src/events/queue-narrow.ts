import { BadNarrowError, BadRequestError } from '../core/errors.ts'
import { nameKey } from '../core/names.ts'

/** A queue's narrow knows only these `is:` operands by name; any other matches everything. */
const RESOLVED_PREFIX = '✔ '

/** Limit of terms, since each is checked for every event. */
const MAX_TERMS = 200

/** Refuses a narrow by which a queue cannot filter. Source: docs/interface/register.md#what-is-asked-for. */
export function requireQueueNarrow(narrow: readonly (readonly [string, string])[]): void {
  if (narrow.length > MAX_TERMS) throw new BadNarrowError('too many terms', 'operator combination')
  for (const [operator, operand] of narrow) {
    if (!['channel', 'stream', 'topic', 'sender', 'is'].includes(operator)) {
      throw new BadRequestError(`Operator ${operator} not supported.`)
    }
    if (operator === 'is' && operand === 'followed') {
      throw new BadRequestError('Operand followed not supported.')
    }
  }
}

/** Facts of a new message that a queue's narrow checks. */
export interface NarrowedMessage {
  readonly type: 'stream' | 'private'
  /** For channel messages: the channel's name. */
  readonly display_recipient: unknown
  readonly subject: string
  readonly sender_email: string
}

/** Whether a message event matches all terms of the queue's narrow. */
export function matchesQueueNarrow(
  narrow: readonly (readonly [string, string])[],
  { message }: { readonly message: NarrowedMessage },
  flags: readonly string[],
): boolean {
  return narrow.every(([operator, operand]) => {
    const wanted = operand.toLowerCase()
    switch (operator) {
      case 'channel':
      case 'stream':
        return (
          message.type === 'stream' &&
          typeof message.display_recipient === 'string' &&
          nameKey(message.display_recipient) === nameKey(operand)
        )
      case 'topic':
        return message.type === 'stream' && message.subject.toLowerCase() === wanted
      case 'sender':
        return message.sender_email.toLowerCase() === wanted
      case 'is':
        return matchesIs(wanted, message, flags)
      default:
        return false
    }
  })
}

function matchesIs(operand: string, message: NarrowedMessage, flags: readonly string[]): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return message.type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'alerted':
    case 'mentioned':
      return flags.includes('mentioned')
    case 'resolved':
      return message.type === 'stream' && message.subject.startsWith(RESOLVED_PREFIX)
    default:
      return true
  }
}
