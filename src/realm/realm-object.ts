import { DurableObject } from 'cloudflare:workers'
import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { type FoundedRealm, type Founding, foundRealm } from '../domain/realm/found-realm.ts'
import { announceFeatureLevel } from '../domain/server/announce-feature-level.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import { OPERATIONS } from '../endpoints/index.ts'
import { afterCommit } from './after-commit.ts'
import { buildRuntime, type RealmEnvironment } from './build-runtime.ts'
import { changeBy } from './change-by-job.ts'
import { emailSenderOf } from './email-sender.ts'
import { readIdentity, writeIdentity } from './identity.ts'
import { JOB_HANDLERS } from './job-handlers.ts'
import { runDueJobs } from './jobs.ts'
import { beat, pollEvents } from './poll-events.ts'
import { runCall } from './run-call.ts'
import type { CrashPoint, EmailOutlet, Runtime } from './runtime.ts'
import { upgradeSchema } from './schema.ts'
import { transactOn } from './transaction.ts'
import { answerWaitingPolls } from './wake-polls.ts'

/**
 * One organization: every change is decided here, one after the other (DESIGN 1). The class opens
 * storage and forwards; it holds no rule of the chat.
 */
export class RealmObject extends DurableObject<RealmEnvironment> {
  /** Undefined until the organization is founded. */
  protected runtime: Runtime | undefined

  constructor(context: DurableObjectState, env: RealmEnvironment) {
    super(context, env)
    context.storage.transactionSync(() => upgradeSchema(context.storage.sql))
    this.runtime = this.#wake()
  }

  async run(call: RealmCall): Promise<RealmAnswer> {
    return runCall(this.#running(), call)
  }

  /** Founds the organization; the same founding again gives the same answer. */
  async found(identity: RealmIdentity, founding: Founding): Promise<FoundedRealm> {
    if (!this.runtime) {
      writeIdentity(this.ctx.storage.sql, identity)
      this.runtime = this.#wake()
    }
    const runtime = this.#running()
    const transact = transactOn({
      ...runtime,
      now: this.now(),
      onCommit: (commit) => afterCommit(runtime, commit),
    })
    return transact((tx) => foundRealm(tx, founding))
  }

  /** A poll's inner socket. */
  override async fetch(request: Request): Promise<Response> {
    return pollEvents(this.#running(), request)
  }

  override webSocketMessage(socket: WebSocket): void {
    beat(this.#running(), socket)
  }

  /** The Worker's end has gone, with or without an answer: nobody waits there any more. */
  override webSocketClose(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  override async alarm(): Promise<void> {
    if (!this.runtime) return
    this.runtime.alarm.wentOff()
    await runDueJobs(this.runtime, JOB_HANDLERS)
  }

  /** Tests stop the object at these points; a deployed one passes them. */
  protected reached(_point: CrashPoint): void {}

  /** Whether requests are counted against the rate limits. */
  protected limited(): boolean {
    return this.env.RATE_LIMITS !== 'off'
  }

  /** UNIX seconds. Tests turn the clock. */
  protected now(): number {
    return Date.now() / 1_000
  }

  /** How mail leaves. Local development keeps it instead. */
  protected emails({ host }: RealmIdentity): EmailOutlet {
    return { send: emailSenderOf(this.env, host), keepSent: false }
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
