import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from './api.ts'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/** Runs the alarm `times` times, seconds apart. Each time, what it has sent to D1 has arrived or failed before the next. */
export async function runAlarms(realm: TestRealm, times: number, seconds = 1): Promise<void> {
  for (let run = 0; run < times; run += 1) {
    world.clockOffset += seconds
    await runDurableObjectAlarm(realmStub(realm.id))
    await inRealm(realm, (object) => object.livingParts?.projector.kick())
  }
}
