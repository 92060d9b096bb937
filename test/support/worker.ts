import { DevRealmObject } from '../../src/dev/realm-object.ts'
import devWorker, { type DevEnvironment } from '../../src/dev/worker.ts'
import type { CrashPoint } from '../../src/realm/runtime.ts'
import { interceptD1 } from './intercepted-d1.ts'
import { world } from './world.ts'

/** The local-development Worker in the tests' world. */
export default {
  fetch: (request, env) =>
    devWorker.fetch(request, {
      ...env,
      DB: interceptD1(env.DB),
      POLL_HOLD_SECONDS: String(world.pollHoldSeconds),
    }),
} satisfies ExportedHandler<DevEnvironment>

/** The realm object of the tests: it can crash where they say, at the time they say. */
export class RealmObject extends DevRealmObject {
  constructor(context: DurableObjectState, env: DevEnvironment) {
    super(context, { ...env, DB: interceptD1(env.DB) })
  }

  protected override now(): number {
    return Date.now() / 1_000 + world.clockOffset
  }

  protected override limited(): boolean {
    return world.limited
  }

  protected override reached(point: CrashPoint): void {
    if (world.crashAt !== point) return
    world.crashAt = undefined
    this.ctx.abort(`crash at ${point}`)
  }
}

export { world } from './world.ts'
