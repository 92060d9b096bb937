import type { AskingSteps } from '../../core/reader.ts'
import { type Verified, type VerifyParams, verifyRealm } from '../../model/verification/verify-realm.ts'
import type { Runtime } from '../runtime.ts'
import { changeBy } from './change-by-job.ts'
import { storeContentsOf } from './store-contents.ts'

/** Runs the verification of `verify-realm` without a caller from the organization. */
export async function verifyStores(runtime: Runtime, params: VerifyParams): Promise<Verified> {
  const { sql, realm, proxiesPictures, tail } = runtime
  const store = {
    ...tail.readerOver(runtime),
    drive: <Value>(steps: AskingSteps<Value>) => runtime.readings.drive(steps, runtime.pause),
    contents: storeContentsOf(runtime),
  }
  const loaded = await verifyRealm.load(
    store,
    {
      now: runtime.now(),
      sql,
      realm,
      proxiesPictures,
      recall: (slot) => runtime.memory.recall(slot, sql),
      pause: runtime.pause,
    },
    undefined,
    params,
  )
  return changeBy(runtime, (tx) => verifyRealm.apply(tx, undefined, params, loaded))
}
