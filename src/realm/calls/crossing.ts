import type { AnswerInBlocks } from '../../core/blocks.ts'
import { MAX_CROSSING } from '../../core/budgets.ts'
import type { RealmAnswer } from '../../core/call.ts'
import { TooLargeAnswerError } from '../../core/errors.ts'

/** The parts of an answer that may be large. */
interface Crossing extends Pick<RealmAnswer, 'json'> {
  readonly inBlocks?: Pick<AnswerInBlocks, 'text' | 'longText' | 'sent'>
}

/**
 * Requires that the answer may cross from the object to the Worker. In the transaction of a change where that is possible: its
 * refusal leaves nothing behind.
 */
export function requireCrossing(answer: Crossing): void {
  if (crossingBytes(answer) > MAX_CROSSING) throw new TooLargeAnswerError()
}

export function bytesOf({ inBlocks, json }: Crossing): number {
  if (!inBlocks) return json?.length ?? 0
  const { text, longText, sent } = inBlocks
  return (longText?.bytes ?? text.length) + sent.bytes.length
}

/**
 * Returns the bytes on the way to the Worker at once, where a text takes two for each character if one needs more than a byte. A long text is
 * a stream.
 */
function crossingBytes(answer: Crossing): number {
  const { text, longText } = answer.inBlocks ?? {}
  const isWide = text !== undefined && 2 * text.length > MAX_CROSSING / 2 && /[^\0-\xff]/.test(text)
  return bytesOf(answer) - (longText?.bytes ?? 0) + (isWide ? text.length : 0)
}
