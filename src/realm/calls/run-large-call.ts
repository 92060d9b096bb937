import { UNKNOWN_ANSWER } from '../../core/budgets.ts'
import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import type { Pause } from '../../core/realm-transaction.ts'
import { ownerOfCall } from '../../core/work-owner.ts'
import { MIN_SHARE, UNKNOWN_ANSWER_IN_BLOCKS, UNKNOWN_ANSWER_WITH_BLOCKS } from '../../core/worker-budgets.ts'
import type { Runtime } from '../runtime.ts'
import { bytesOf, requireCrossing } from './crossing.ts'
import { jsonInTurns } from './json-in-turns.ts'
import { whenRead } from './long-text.ts'
import { pausesOf } from './pauses.ts'
import { runCall } from './run-call.ts'

/**
 * Makes a call whose answer may be megabytes: it crosses to the Worker as the bytes for the client, and
 * neither side holds it as objects. If too many of them are waiting, the caller is asked to come again,
 * before anything is done.
 */
export async function runLargeCall(runtime: Runtime, call: RealmCall): Promise<RealmAnswer> {
  try {
    const { kind, unknown } = sizeOf(call)
    return await runtime.largeAnswers.make(kind, unknown, async () => {
      const pause = pausesOf(ownerOfCall(call))
      await pause(0)
      const answer = await inBytes(await runCall(runtime, call), pause)
      requireCrossing(answer)
      const bytes = bytesOf(answer)
      // The platform holds the answer back until the change is stored: so long a small one need not be counted.
      if (bytes >= MIN_SHARE) await runtime.storage.sync()
      const longText = answer.inBlocks?.longText
      return { answer, bytes, sent: longText && whenRead(longText) }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const cost = { rows: { read: 0, written: 0 }, farTrips: 0, nearTrips: 0 }
    return { outcome: { ok: false, error: error.toWire() }, ...cost }
  }
}

/**
 * Returns the expected size of the answer: one that contains all blocks is far larger than one that names
 * them.
 */
function sizeOf({ operation, held }: RealmCall): { readonly kind: string; readonly unknown: number } {
  if (!held) return { kind: operation, unknown: UNKNOWN_ANSWER }
  if (held.fill) return { kind: `${operation} with blocks`, unknown: UNKNOWN_ANSWER_WITH_BLOCKS }
  return { kind: `${operation} in blocks`, unknown: UNKNOWN_ANSWER_IN_BLOCKS }
}

async function inBytes(answer: RealmAnswer, pause: Pause): Promise<RealmAnswer> {
  if (!answer.outcome.ok || answer.inBlocks) return answer
  const json = await jsonInTurns(answer.outcome.value as object, pause)
  return { ...answer, outcome: { ok: true, value: {} }, json }
}
