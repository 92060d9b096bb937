import { DurableObject } from 'cloudflare:workers'
import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { ServiceUnavailableError } from '../core/errors.ts'
import { configureLog, log } from '../core/log.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { type Founding, type FoundingOutcome, foundRealm } from '../domain/realm/found-realm.ts'
import { announceFeatureLevel } from '../domain/server/announce-feature-level.ts'
import type { Verified, VerifyParams } from '../domain/verification/verify-realm.ts'
import { isAnswerLarge, type Operation } from '../endpoints/define-endpoint.ts'
import { OPERATIONS } from '../endpoints/index.ts'
import { afterCommit } from './after-commit.ts'
import { buildRuntime, type RealmEnvironment } from './build-runtime.ts'
import { changeBy } from './change-by-job.ts'
import { type EmailOutlet, emailOutletOf } from './email-sender.ts'
import { readIdentity, writeIdentity } from './identity.ts'
import { JOB_HANDLERS } from './job-handlers.ts'
import { runDueJobs } from './jobs.ts'
import { beat, pollEvents } from './poll-events.ts'
import { type RealmHealth, realmHealth } from './realm-health.ts'
import { runCall } from './run-call.ts'
import { runLargeCall } from './run-large-call.ts'
import type { CrashPoint, Runtime } from './runtime.ts'
import { NewerSchemaError, SCHEMA_STEPS, type SchemaStep, upgradeSchema } from './schema.ts'
import { type StorageState, storageState } from './storage-state.ts'
import { transactOn } from './transaction.ts'
import { verifyStores } from './verify-stores.ts'
import { answerWaitingPolls } from './wake-polls.ts'

const TOO_NEW_RETRY_SECONDS = 60

/** What is answered while the storage is newer than the build. */
const TOO_NEW: RealmAnswer = {
  outcome: { ok: false, error: new ServiceUnavailableError(TOO_NEW_RETRY_SECONDS).toWire() },
  rows: { read: 0, written: 0 },
  farTrips: 0,
}

/**
 * One organization: every change is decided here, one after the other (DESIGN 1). The class opens
 * storage and forwards; it holds no rule of the chat.
 */
export class RealmObject extends DurableObject<RealmEnvironment> {
  /** Undefined until the organization is founded. */
  protected runtime: Runtime | undefined
  /** A newer Parley has written this storage: after a rollback. Nothing of it is touched. */
  readonly #isTooNew: boolean

  constructor(context: DurableObjectState, env: RealmEnvironment) {
    super(context, env)
    configureLog(env)
    this.#isTooNew = isRefused(() =>
      context.storage.transactionSync(() => upgradeSchema(context.storage.sql, this.schemaSteps())),
    )
    if (!this.#isTooNew) this.runtime = this.#wake()
  }

  async run(call: RealmCall): Promise<RealmAnswer> {
    if (this.#isTooNew) return TOO_NEW
    const runtime = this.#running()
    const operation = runtime.operations.get(call.operation)
    return operation && isAnswerLarge(operation, call.parameters)
      ? runLargeCall(runtime, call)
      : runCall(runtime, call)
  }

  /** Founds the organization, or says what the founder's password has to fit when it was founded before. */
  async found(identity: RealmIdentity, founding: Founding): Promise<FoundingOutcome> {
    if (this.#isTooNew) throw new Error('The storage was written by a newer Parley')
    if (!this.runtime) {
      writeIdentity(this.ctx.storage.sql, identity)
      this.runtime = this.#wake()
    }
    const runtime = this.#running()
    // D1 was restored from a copy, and has given the id of an organization to another one.
    if (runtime.realm.host !== identity.host) {
      throw new Error(`Organization ${identity.id} is ${runtime.realm.host}, and not ${identity.host}`)
    }
    const transact = transactOn({
      ...runtime,
      now: this.now(),
      onCommit: (commit) => afterCommit(runtime, commit),
    })
    return transact((tx) => foundRealm(tx, founding))
  }

  /** How the organization is, in figures. */
  async health(): Promise<RealmHealth> {
    return realmHealth(this.#running())
  }

  /** How the storage is; undefined where no organization was founded, or none that this build can read. */
  async storageState(): Promise<StorageState | undefined> {
    return this.runtime && storageState(this.runtime)
  }

  /** A part of what `verify-realm` looks at, for whoever may write the deployment's D1. */
  async verify(params: VerifyParams): Promise<Verified> {
    const runtime = this.#running()
    return verifyStores(runtime, params)
  }

  /** A poll's inner socket. */
  override async fetch(request: Request): Promise<Response> {
    if (this.#isTooNew) return Response.json(TOO_NEW)
    return pollEvents(this.#running(), request)
  }

  override async webSocketMessage(socket: WebSocket): Promise<void> {
    if (this.runtime) await beat(this.runtime, socket)
  }

  /** The Worker's end has gone, with or without an answer: nobody waits there any more. */
  override webSocketClose(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  /** Begins what is due, and waits for nothing: while an alarm runs no other goes off. */
  override async alarm(): Promise<void> {
    // The jobs wait for the build that has written them.
    if (this.#isTooNew) await this.ctx.storage.setAlarm((this.now() + TOO_NEW_RETRY_SECONDS) * 1_000)
    if (!this.runtime) return
    this.runtime.alarm.wentOff()
    runDueJobs(this.runtime, JOB_HANDLERS)
  }

  /** Tests stop the object at these points; a deployed one passes them. */
  protected reached(_point: CrashPoint): void {}

  /** Whether requests are counted against the rate limits. */
  protected limited(): boolean {
    return this.env.RATE_LIMITS !== 'off'
  }

  /** Bytes of the object's SQLite. */
  protected databaseSize(): number {
    return this.ctx.storage.sql.databaseSize
  }

  /** UNIX seconds. Tests turn the clock. */
  protected now(): number {
    return Date.now() / 1_000
  }

  /** How mail leaves. Local development keeps it instead. */
  protected emails({ host }: RealmIdentity): EmailOutlet {
    return emailOutletOf(this.env, host)
  }

  /** Tests go back to an older build. */
  protected schemaSteps(): readonly SchemaStep[] {
    return SCHEMA_STEPS
  }

  protected operations(): ReadonlyMap<string, Operation> {
    return OPERATIONS
  }

  #wake(): Runtime | undefined {
    const identity = readIdentity(this.ctx.storage.sql)
    if (!identity) return undefined
    const runtime = buildRuntime({
      context: this.ctx,
      env: this.env,
      realm: identity,
      operations: this.operations(),
      emails: this.emails(identity),
      limited: () => this.limited(),
      now: () => this.now(),
      databaseSize: () => this.databaseSize(),
      reached: (point) => this.reached(point),
    })
    changeBy(runtime, announceFeatureLevel)
    // What the last life of the object left undone: due jobs, bodies for D1, polls whose wake-up was lost.
    void runtime.alarm.check()
    void runtime.projector.kick()
    answerWaitingPolls(runtime)
    return runtime
  }

  #running(): Runtime {
    if (!this.runtime) throw new Error('This organization has not been founded')
    return this.runtime
  }
}

/** True when the database is newer than the build. */
function isRefused(upgrade: () => void): boolean {
  try {
    upgrade()
    return false
  } catch (error) {
    if (!(error instanceof NewerSchemaError)) throw error
    log('error', 'The storage was written by a newer build', { error })
    return true
  }
}
