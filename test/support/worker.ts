import { INTERFACE_VERSION, type RealmAnswer, type RealmCall } from '../../src/core/call.ts'
import { ApiError } from '../../src/core/errors.ts'
import type { CrashPoint } from '../../src/core/job-runtime.ts'
import type { RealmIdentity, RealmTransaction } from '../../src/core/realm-transaction.ts'
import { DevRealmObject } from '../../src/dev/realm-object.ts'
import devWorker from '../../src/dev/worker.ts'
import { HasherObject as DeployedHasher } from '../../src/hasher/hasher-object.ts'
import type { EmailOutlet } from '../../src/outgoing/emails/email-sender.ts'
import { transactOn } from '../../src/realm/calls/transaction.ts'
import type { Runtime } from '../../src/realm/runtime.ts'
import type { SchemaStep } from '../../src/store/schema/schema.ts'
import './compared-memory.ts'
import { interceptD1, interceptD1With } from './intercepted-d1.ts'
import { interceptHasher } from './intercepted-hasher.ts'
import { interceptRealm } from './intercepted-realm.ts'
import { interceptStorage } from './intercepted-storage.ts'
import { interceptStore } from './intercepted-store.ts'
import { stopObject } from './stop-object.ts'
import { world } from './world.ts'

/** The object that hashes and draws, with the bindings of the world at the moment. */
export class HasherObject extends DeployedHasher {
  constructor(context: DurableObjectState, env: TestEnvironment) {
    super(context, new Proxy(env, { get: (own, name) => Reflect.get({ ...own, ...world.bindings }, name) }))
  }
}

type TestEnvironment = Cloudflare.Env

/** The local-development Worker, connected to the tests' `world`. */
export default {
  fetch: (request, env) =>
    devWorker.fetch(request, {
      ...env,
      ...world.settings,
      ...world.bindings,
      DB: interceptD1(env.DB),
      ...spareDatabases(env, interceptD1),
      REALM: interceptRealm(env.REALM),
      HASHER: interceptHasher(env.HASHER),
      UPLOADS: world.hasBucket ? interceptStore(env.UPLOADS) : undefined,
      POLL_HOLD_SECONDS: String(world.pollHoldSeconds),
    }),
} satisfies ExportedHandler<TestEnvironment>

/** The bindings besides `DB` in this world. */
function spareDatabases(
  { SPARE_1, SPARE_2, SPARE_3 }: TestEnvironment,
  intercept: (db: D1Database, name: string) => D1Database,
): Record<string, D1Database> {
  const spare = [SPARE_1, SPARE_2, SPARE_3].slice(0, world.bodyDatabases)
  return Object.fromEntries(spare.map((db, at) => [`BODIES_${at + 1}`, intercept(db, `BODIES_${at + 1}`)]))
}

/** The object may be stopped while it waits for D1. */
function databasesOf(context: DurableObjectState, env: TestEnvironment): Record<string, D1Database> {
  const intercept = (db: D1Database, name: string) =>
    interceptD1With(
      db,
      (call, kind) =>
        world.d1(
          async () => {
            const answer = await call()
            if (world.stopsAt(`D1 ${kind}`)) await stopObject(context, `D1 ${kind}`)
            return answer
          },
          kind,
          name,
        ),
      name,
    )
  return { DB: intercept(env.DB, 'DB'), ...spareDatabases(env, intercept) }
}

/** The settings and bindings of the world at the moment of reading, since a realm object lives longer than a test. */
const worldSettings = new Proxy(
  {},
  { get: (_, name) => Reflect.get({ ...world.settings, ...world.bindings }, name) },
)

/** The realm object of the tests, which can crash at the steps and with the clock that they set. */
export class RealmObject extends DevRealmObject {
  constructor(context: DurableObjectState, env: TestEnvironment) {
    interceptStorage(context.storage)
    super(
      context,
      Object.assign(Object.create(worldSettings), env, {
        ...databasesOf(context, env),
        UPLOADS: world.hasBucket ? interceptStore(env.UPLOADS) : undefined,
        BACKUPS: interceptStore(env.BACKUPS!),
        // The object reads the setting when it wakes up, and all tests share it, since one of them may be reading the log at that time.
        LOG: world.settings.LOG ?? env.LOG,
        SECRETS_KEY: world.settings.SECRETS_KEY ?? env.SECRETS_KEY,
      }),
    )
  }

  protected override async answer(call: RealmCall, characters?: number): Promise<RealmAnswer> {
    if (!world.rehearses) return super.answer(call, characters)
    const { inSections: _unsent, ...answer } = await super.answer({ ...call, rehearse: true }, characters)
    if (!answer.outcome.ok) return answer
    return { ...answer, outcome: { ok: false, error: new ApiError('REHEARSED', 'Rehearsed').toWire() } }
  }

  /** The parts of the running object, for tests to inspect. */
  get parts(): Runtime {
    return this.runtime!
  }

  /** The parts, or undefined if there is no organization (any more). */
  get livingParts(): Runtime | undefined {
    return this.runtime
  }

  /** Makes a call as a Worker of the same build does. */
  call(call: RealmCall): Promise<RealmAnswer> {
    return this.run(INTERFACE_VERSION, call)
  }

  /** Commits a change that no endpoint makes. `silently`: as if the object ended right after the commit. */
  change<R>(make: (tx: RealmTransaction) => R, { silently = false } = {}): R {
    const transact: (make: (tx: RealmTransaction) => unknown) => unknown = transactOn({
      ...this.parts,
      now: this.now(),
      onCommit: silently ? () => {} : this.parts.committed,
    })
    return transact(make) as R
  }

  /** Ends when the started work has ended, unless the test is about calls that hang. */
  override async alarm(): Promise<void> {
    if (this.runtime && this.runtime.realm.id <= world.lastOfEndedFiles) return
    await world.alarm(() => super.alarm())
    while (world.alarmsWait && this.runtime?.lanes.isIdle === false) await scheduler.wait(1)
  }

  /** Ends the object as if the machine had crashed, once its commits are on disk. */
  stop(): Promise<void> {
    return stopObject(this.ctx, 'a test')
  }

  protected override emails(identity: RealmIdentity): EmailOutlet {
    return Object.defineProperty(super.emails(identity), 'isConfigured', { get: () => world.sendsMail })
  }

  protected override now(): number {
    return Date.now() / 1_000 + world.clockOffset
  }

  protected override databaseSize(): number {
    return world.databaseSize ?? super.databaseSize()
  }

  protected override d1RestMs(): number {
    return world.d1RestMs ?? super.d1RestMs()
  }

  protected override usageQuietMs(): number {
    return world.usageQuietMs ?? Number.POSITIVE_INFINITY
  }

  protected override busyQueueMs(): number {
    return world.busyQueueMs ?? super.busyQueueMs()
  }

  protected override interfaceVersion(): number {
    return world.interfaceVersion ?? super.interfaceVersion()
  }

  protected override schemaSteps(): readonly SchemaStep[] {
    return [...super.schemaSteps(), ...world.furtherSteps]
  }

  protected override limited(): boolean {
    return world.limited
  }

  protected override reached(point: CrashPoint): void {
    if (world.bugAt === point) {
      world.bugAt = undefined
      throw new Error(`A bug at ${point}`)
    }
    if (world.stopsAt(point)) void stopObject(this.ctx, point)
    if (world.crashAt !== point) return
    world.crashAt = undefined
    this.ctx.abort(`crash at ${point}`)
  }
}

export { world } from './world.ts'
