import { BYTES_AT_ONCE, FREE_OF_SHARE, MAX_CROSSING } from '../../core/budgets.ts'
import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { ApiError, TooLargeAnswerError } from '../../core/errors.ts'
import type { Pause } from '../../core/realm-transaction.ts'
import { UNKNOWN_ANSWER_IN_SECTIONS, UNKNOWN_ANSWER_WITH_SECTIONS } from '../../core/sections.ts'
import { ownerOfCall } from '../../core/work-gate.ts'
import type { Runtime } from '../runtime.ts'
import { answerInPieces, whenRead } from './large-answers.ts'
import { pausesOf } from './pauses.ts'
import { refusing, runCall } from './run-call.ts'

/**
 * Makes a call whose answer may be megabytes. It crosses to the Worker as bytes for the client, and neither side holds it as objects. If
 * too many wait, the caller is told to come again before anything is done.
 */
export async function runLargeCall(runtime: Runtime, call: RealmCall): Promise<RealmAnswer> {
  try {
    const { kind, unknown } = sizeOf(call)
    return await runtime.largeAnswers.make(kind, unknown, async () => {
      const pause = pausesOf(ownerOfCall(call))
      await pause(0)
      const answer = await written(await runCall(runtime, call), call, pause)
      const bytes = bytesOf(answer)
      // The platform holds the answer back until the change is stored, which need not count for a small one.
      if (bytes >= FREE_OF_SHARE.answer) await runtime.storage.sync()
      const text = answer.inPieces?.text
      return { answer, bytes, sent: text && 'stream' in text ? whenRead(text) : undefined }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusing(error)
  }
}

/** Returns the expected size of the answer, which is far larger with sections than with only their versions. */
function sizeOf({ operation, held }: RealmCall): { readonly kind: string; readonly unknown: number } {
  if (!held) return { kind: operation, unknown: BYTES_AT_ONCE }
  if (held.length === 0) return { kind: `${operation} with sections`, unknown: UNKNOWN_ANSWER_WITH_SECTIONS }
  return { kind: `${operation} in sections`, unknown: UNKNOWN_ANSWER_IN_SECTIONS }
}

/** @throws TooLargeAnswerError where the Worker, which holds the whole answer, has no room */
async function written(answer: RealmAnswer, { held }: RealmCall, pause: Pause): Promise<RealmAnswer> {
  if (!answer.outcome.ok || answer.inPieces) return answer
  const inPieces = await answerInPieces(answer.outcome.value as object, pause, held)
  if (!held && inPieces.text.length > MAX_CROSSING) throw new TooLargeAnswerError()
  return { ...answer, outcome: { ok: true, value: {} }, inPieces }
}

function bytesOf({ inPieces }: RealmAnswer): number {
  return inPieces ? inPieces.text.length + inPieces.sent.bytes.length : 0
}
