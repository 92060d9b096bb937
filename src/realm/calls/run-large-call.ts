import { UNKNOWN_ANSWER, UNKNOWN_ANSWER_IN_BLOCKS } from '../../core/budgets.ts'
import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import type { Runtime } from '../runtime.ts'
import { runCall } from './run-call.ts'

/**
 * A call whose answer may be megabytes: it crosses to the Worker as the bytes that the client gets, and neither side holds it as
 * objects. Whoever finds too many of them before is told to come again, before anything is done.
 */
export async function runLargeCall(runtime: Runtime, call: RealmCall): Promise<RealmAnswer> {
  try {
    const unknown = call.held ? UNKNOWN_ANSWER_IN_BLOCKS : UNKNOWN_ANSWER
    return await runtime.largeAnswers.make(call.operation, unknown, async () => {
      const answer = inBytes(await runCall(runtime, call))
      // Until the change is stored, the platform holds the answer back.
      await runtime.storage.sync()
      return { answer, bytes: answer.inBlocks?.text.length ?? answer.json?.length ?? 0 }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const cost = { rows: { read: 0, written: 0 }, farTrips: 0, nearTrips: 0 }
    return { outcome: { ok: false, error: error.toWire() }, ...cost }
  }
}

function inBytes(answer: RealmAnswer): RealmAnswer {
  if (!answer.outcome.ok || answer.inBlocks) return answer
  const json = new TextEncoder().encode(JSON.stringify(answer.outcome.value))
  return { ...answer, outcome: { ok: true, value: {} }, json }
}
