import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from './api.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/**
 * Runs the alarm `times` times, some seconds apart. Before each further run it waits until the writes to D1 have arrived or
 * failed.
 */
export async function runAlarms(realm: TestRealm, times: number, seconds = 1): Promise<void> {
  for (let run = 0; run < times; run += 1) {
    world.clockOffset += seconds
    await runDurableObjectAlarm(realmStub(realm.id))
    await inRealm(realm, (object) => object.livingParts?.projector.kick())
  }
}
