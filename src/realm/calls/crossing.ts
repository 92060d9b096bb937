import { MAX_CROSSING } from '../../core/budgets.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { TooLargeAnswerError } from '../../core/errors.ts'

/** The parts of an answer that may be large. */
type Crossing = Pick<RealmAnswer, 'inBlocks' | 'json'>

/**
 * Requires that the answer may cross from the object to the Worker. In the transaction of a change where that is possible: its
 * refusal leaves nothing behind.
 */
export function requireCrossing(answer: Crossing): void {
  if (crossingBytes(answer) > MAX_CROSSING) throw new TooLargeAnswerError()
}

export function bytesOf({ inBlocks, json }: Crossing): number {
  return inBlocks ? inBlocks.text.length + inBlocks.sent.bytes.length : (json?.length ?? 0)
}

/** Returns the bytes on the way to the Worker, where a text takes two for each character if one needs more than a byte. */
function crossingBytes(answer: Crossing): number {
  const text = answer.inBlocks?.text
  const isWide = text !== undefined && 2 * text.length > MAX_CROSSING / 2 && /[^\0-\xff]/.test(text)
  return bytesOf(answer) + (isWide ? text.length : 0)
}
