import { DurableObject } from 'cloudflare:workers'
import { isAnswerLarge, type Operation } from '../api/define-endpoint.ts'
import { HELD_CALLS } from '../core/budgets.ts'
import {
  callIn,
  type DeploymentFacts,
  INTERFACE_VERSION,
  type RealmAnswer,
  type RealmCall,
  replyOf,
} from '../core/call.ts'
import { type DailyLimitError, dailyLimitOf } from '../core/daily-limits.ts'
import { deployedAt } from '../core/deployment-settings.ts'
import type { CrashPoint } from '../core/job-runtime.ts'
import { fromJson, type JsonText } from '../core/json.ts'
import { configureLog, log } from '../core/log.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import { OPERATIONS } from '../features/index.ts'
import { type Verified, type VerifyParams, verifyRealm } from '../features/verification/verify-realm.ts'
import type { MovePlan } from '../model/backups/move-plan.ts'
import type { CopyPlan } from '../model/backups/plan-copy.ts'
import { announceFeatureLevel } from '../model/realm/announce-realm-change.ts'
import { type CreationOutcome, createRealm, type RealmCreation } from '../model/realm/create-realm.ts'
import { giveUpHost } from '../model/realm/give-up-host.ts'
import { followAddressKey } from '../model/verification/compare-accounts.ts'
import { type EmailOutlet, emailOutletOf } from '../outgoing/emails/email-sender.ts'
import { SCHEMA_STEPS, type SchemaStep } from '../store/schema/schema.ts'
import { beginCopy } from './begin-copy.ts'
import { beginMove } from './begin-move.ts'
import { buildRuntime, type RealmEnvironment } from './build-runtime.ts'
import { isOtherRealm, refusing, refusingFor, runCall, runCallNow, runLargeCall } from './calls/run-call.ts'
import { StorageGauge } from './calls/storage-room.ts'
import {
  answerOfClosed,
  closeForDeletion,
  continueClosed,
  isBeingRestored,
  upgradeStorage,
} from './closed-object.ts'
import {
  deletionBegunAt,
  hasStorage,
  isHostGivenUp,
  readIdentity,
  writeHost,
  writeIdentity,
} from './identity.ts'
import { hastenChanges } from './jobs/finish-change.ts'
import { followClock } from './jobs/follow-clock.ts'
import { jobHandlersOf } from './jobs/job-handlers.ts'
import { runDueJobs } from './jobs/jobs.ts'
import { refusalOfLeaving, standingOfMove, stayOnServer } from './leave-server.ts'
import { isOfOtherBuild, OF_OTHER_BUILD, OTHER_BUILD_RETRY_SECONDS, TO_OTHER_BUILD } from './other-build.ts'
import { type PollReplyText, replyText, versionIn } from './polls/poll-call.ts'
import { callPoll, hearSocket, pollEvents } from './polls/poll-events.ts'
import { roundsOf } from './polls/wake-polls.ts'
import { D1_REST_MS } from './projection/projector.ts'
import { type RealmHealth, realmHealth } from './realm-health.ts'
import { operateBackups, operateRestore } from './restore/operate-backups.ts'
import type { Runtime } from './runtime.ts'
import { QUIET_MS } from './usage/usage-watch.ts'

/** Milliseconds for which the report on the health waits for D1. The Worker waits for the report a little longer. */
const HEALTH_PATIENCE_MS = 2_000

/** Messages over sockets that the platform bills as one request. */
const MESSAGES_OF_A_REQUEST = 20

/**
 * One organization: every change is decided here, one after the other (docs/decisions/design.md#three-stores-one-job-each). The class
 * opens storage and forwards calls; rules of the chat are elsewhere.
 */
export class RealmObject extends DurableObject<RealmEnvironment> {
  /** Undefined until the organization is founded, and again once it is deleted. */
  protected runtime: Runtime | undefined
  readonly #gauge: StorageGauge
  /** Whether another build made this storage, such as a newer one before a rollback. Then nothing of it is touched. */
  #isOfOtherBuild = false
  /** Set while a daily limit of the platform keeps the storage from being read. */
  #limit: DailyLimitError | undefined

  constructor(context: DurableObjectState, env: RealmEnvironment) {
    super(context, env)
    configureLog(env)
    this.#gauge = new StorageGauge(context.storage.sql)
    this.#open()
  }

  /** Opens the storage, unless a daily limit of the platform prevents it: then the next call tries again. */
  #open(): void {
    try {
      const isKept = hasStorage(this.ctx.storage.sql)
      this.#isOfOtherBuild = isKept && isOfOtherBuild(() => this.#upgrade())
      if (isKept && !this.#isOfOtherBuild) this.runtime = this.#wake()
      this.#limit = undefined
    } catch (error) {
      this.#limit = dailyLimitOf(error, this.now())
      if (!this.#limit) throw error
    }
  }

  /** Makes a call of the Worker. A call in text is answered in text. `version`: INTERFACE_VERSION of the Worker. */
  run(version: number, call: RealmCall): Promise<RealmAnswer>
  run(
    version: number,
    call: JsonText<RealmCall> | RealmCall,
    deployment?: JsonText<DeploymentFacts>,
  ): Promise<JsonText<RealmAnswer> | RealmAnswer>
  async run(
    version: number,
    call: JsonText<RealmCall> | RealmCall,
    deployment?: JsonText<DeploymentFacts>,
  ): Promise<JsonText<RealmAnswer> | RealmAnswer> {
    const refusal = this.#refusalOf(version)
    if (refusal) return refusal
    this.#countRequest()
    if (typeof call !== 'string') return this.answer(call)
    return replyOf(await this.answer(callIn(call, deployment), call.length))
  }

  /** Returns the answer to every call of a Worker of this version; undefined where its calls are understood. */
  #refusalOf(version: number): RealmAnswer | undefined {
    if (version !== this.interfaceVersion()) return TO_OTHER_BUILD
    if (this.#limit) this.#open()
    if (this.#limit) return refusing(this.#limit)
    return this.#isOfOtherBuild ? OF_OTHER_BUILD : undefined
  }

  /** @param characters of the call. A call that did not come as text shares no turn. */
  protected async answer(call: RealmCall, characters = Number.POSITIVE_INFINITY): Promise<RealmAnswer> {
    if (!this.runtime) return answerOfClosed(this.ctx.storage)
    const following = followClock(this.runtime)
    if (following) await following
    const { runtime } = this
    if (!runtime) return answerOfClosed(this.ctx.storage)
    const operation = runtime.operations.get(call.operation)
    if (operation && isAnswerLarge(operation, call.parameters)) return runLargeCall(runtime, call)
    const sharesSlice = operation && !operation.command.reads && !operation.command.asks
    return sharesSlice ? runtime.turns.take(characters, () => this.#runNow(call)) : runCall(runtime, call)
  }

  /** Makes a call that may have waited while the organization was deleted. */
  async #runNow(call: RealmCall): Promise<RealmAnswer> {
    return this.runtime ? runCallNow(this.runtime, call) : answerOfClosed(this.ctx.storage)
  }

  /** Founds the organization. If it exists, returns the hash that the founder's password has to match. */
  async found(version: number, identity: RealmIdentity, founding: RealmCreation): Promise<CreationOutcome> {
    if (this.#refusalOf(version) || isBeingRestored(this.ctx.storage))
      return { founded: null, hash: null, isOther: true }
    if (!this.runtime) {
      this.#upgrade()
      writeIdentity(this.ctx.storage.sql, identity)
      this.runtime = this.#wake()
    }
    const runtime = this.running()
    if (isOtherRealm(runtime, 'found', identity.host)) return { founded: null, hash: null, isOther: true }
    return runtime.change((tx) => createRealm(tx, founding))
  }

  /**
   * Gives up the host for another organization, if this one is closed and nobody but its owner has entered it. Returns whether the host may be
   * taken; again, where an earlier answer was lost.
   */
  async giveUpHost(version: number, host: string): Promise<boolean> {
    if (this.#refusalOf(version)) return false
    const { runtime } = this
    const { storage } = this.ctx
    if (!runtime) return hasStorage(storage.sql) && isHostGivenUp(storage.sql)
    if (isOtherRealm(runtime, 'give up', host) || !runtime.change(giveUpHost)) return false
    runtime.leave()
    await storage.setAlarm(this.now() * 1_000)
    return true
  }

  /**
   * Moves the organization to another host. The object ends with that, since all of it knows the host, and answers true when it is asked again.
   * False if it is at neither host.
   */
  async moveToHost(version: number, from: string, to: string): Promise<boolean> {
    if (this.#refusalOf(version) || !this.runtime) return false
    const { realm } = this.runtime
    if (realm.host === to) return true
    if (isOtherRealm(this.runtime, 'move', from)) return false
    writeHost(this.ctx.storage.sql, realm, to)
    await this.ctx.storage.sync()
    this.ctx.abort('The organization has moved to another host')
    return true
  }

  /** Makes an empty object a copy of a backup of another organization. Returns whether it is that copy. */
  async beginCopy(version: number, identity: RealmIdentity, plan: CopyPlan): Promise<boolean> {
    const parts = { storage: this.ctx.storage, schemaSteps: this.schemaSteps(), now: this.now() }
    if (this.#refusalOf(version) || !beginCopy(parts, identity, plan)) return false
    await this.#goOnClosed()
    return true
  }

  /**
   * Closes the organization, which moves to another server at this address; null opens it again, undefined only asks. Returns where it stands;
   * undefined if another organization or build is meant.
   */
  async leaveServer(
    version: number,
    host: string,
    to: string | null | undefined,
  ): Promise<RealmAnswer['outcome'] | undefined> {
    const { storage } = this.ctx
    if (this.#refusalOf(version) || !hasStorage(storage.sql) || readIdentity(storage.sql)?.host !== host)
      return undefined
    if (to === null && stayOnServer(storage)) this.runtime = this.#wake()
    if (to && this.runtime) {
      const refusal = refusalOfLeaving(this.runtime, to)
      if (refusal) return refusal
      await this.runtime.restart()
    }
    return { ok: true, value: standingOfMove(storage) }
  }

  /** Has an object fill itself with a backup of another server. False if it may not. */
  async moveIn(version: number, identity: RealmIdentity, plan: MovePlan): Promise<boolean> {
    const parts = { storage: this.ctx.storage, schemaSteps: this.schemaSteps(), now: this.now() }
    if (this.#refusalOf(version) || !beginMove(parts, identity, plan)) return false
    await this.#goOnClosed()
    return true
  }

  /** Deletes an organization that D1 lists as overdue, even if only D1 knows it. An active one checks its due jobs. */
  async finishDeletion(version: number, identity: RealmIdentity): Promise<void> {
    if (this.#refusalOf(version)) return
    if (this.runtime) return this.runtime.alarm.follow()
    if (isBeingRestored(this.ctx.storage)) return
    closeForDeletion(this.ctx.storage, identity, this.schemaSteps(), this.now())
    await this.#goOnClosed()
  }

  /**
   * Returns the health of the organization at this host, in figures; null if another one is here, undefined if there is none,
   * 'unreadable' if the storage or the Worker is of another build, or a backup is being restored.
   */
  async health(version: number, host: string): Promise<RealmHealth | 'unreadable' | null | undefined> {
    if (this.#refusalOf(version)) return 'unreadable'
    // An object that the question has woken may believe that D1 has been behind for hours.
    await this.runtime?.projector.endDoubt(HEALTH_PATIENCE_MS)
    const { runtime } = this
    if (!runtime) return isBeingRestored(this.ctx.storage) ? 'unreadable' : undefined
    return isOtherRealm(runtime, 'health', host) ? null : realmHealth(runtime)
  }

  /**
   * Makes a part of the checks of `verify-realm`, for callers who may write the deployment's D1. Undefined if another organization or
   * another build is meant; null if there is none.
   */
  async verify(
    version: number,
    params: VerifyParams & { readonly host: string },
  ): Promise<Verified | null | undefined> {
    const { runtime } = this
    if (this.#refusalOf(version)) return undefined
    if (!runtime) return isBeingRestored(this.ctx.storage) ? undefined : null
    if (isOtherRealm(runtime, 'verify', params.host)) return undefined
    return runtime.suspendableChange((tx) => verifyRealm.apply(tx, undefined, params))
  }

  /** Lists backups, and restores one if it is named, for callers who may write the deployment's D1. Undefined and null as in `verify`. */
  async operateBackups(
    version: number,
    host: string,
    backupId: number | null,
  ): Promise<RealmAnswer['outcome'] | null | undefined> {
    const { runtime } = this
    if (this.#refusalOf(version)) return undefined
    if (!runtime) {
      if (!isBeingRestored(this.ctx.storage)) return null
      const outcome = operateRestore(this.ctx.storage, backupId)
      await this.#goOnClosed()
      return outcome
    }
    return isOtherRealm(runtime, 'backups', host) ? undefined : operateBackups(runtime, backupId)
  }

  /** Handles a poll of a busy queue: answers it, holds it for up to `holdMs`, or asks for it again with a socket. */
  async poll(version: number, call: JsonText<RealmCall>, holdMs: number): Promise<PollReplyText> {
    const refusal = this.#refusalOf(version) ?? (this.runtime ? undefined : answerOfClosed(this.ctx.storage))
    this.#countRequest()
    if (refusal) return replyText({ answer: refusal })
    return callPoll(this.running(), fromJson(call), holdMs).then(replyText, (error) =>
      replyText({ answer: refusingFor(error, this.now()) }),
    )
  }

  /** Handles a poll, which is answered, held or given a socket; or an event stream. */
  override async fetch(request: Request): Promise<Response> {
    const refusal = this.#refusalOf(versionIn(request))
    if (refusal) return Response.json(refusal)
    this.#countRequest()
    if (!this.runtime) return Response.json(answerOfClosed(this.ctx.storage))
    return pollEvents(this.runtime, request).catch((error) => Response.json(refusingFor(error, this.now())))
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.#countRequest(1 / MESSAGES_OF_A_REQUEST)
    if (this.runtime) await hearSocket(this.runtime, socket, message)
  }

  /** Forgets the poll of a socket that the other end has closed, answered or not. */
  override webSocketClose(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.runtime?.polls.forget(socket)
  }

  /** Begins due jobs without waiting for them: while an alarm runs, no other goes off. */
  override async alarm(): Promise<void> {
    try {
      if (this.#limit) this.#open()
      if (this.#limit) throw this.#limit
      await this.#beginJobs()
    } catch (error) {
      const limit = dailyLimitOf(error, this.now())
      if (!limit) throw error
      log('warn', 'Jobs wait for midnight', { organization: this.runtime?.realm.host, error })
      await this.ctx.storage.setAlarm(limit.until * 1_000)
    }
  }

  async #beginJobs(): Promise<void> {
    // The jobs wait for the build that wrote them.
    if (this.#isOfOtherBuild)
      await this.ctx.storage.setAlarm((this.now() + OTHER_BUILD_RETRY_SECONDS) * 1_000)
    if (!this.runtime) {
      const isOpen = await continueClosed({
        ...{ storage: this.ctx.storage, env: this.env, schemaSteps: this.schemaSteps() },
        now: () => this.now(),
        build: (realm) => this.#build(realm),
        reached: (point) => this.reached(point),
      })
      if (isOpen) this.runtime = this.#wake()
      return
    }
    this.#countRequest()
    this.runtime.alarm.wentOff()
    await runDueJobs(this.runtime, jobHandlersOf(this.runtime.realm))
  }

  /** Counts a request as the platform bills it. */
  #countRequest(requests = 1): void {
    this.runtime?.usage.count('object_requests_total', requests)
  }

  /** A point at which tests stop the object; in a deployment nothing happens. */
  protected reached(_point: CrashPoint): void {}

  /** Whether requests are counted against the rate limits. */
  protected limited(): boolean {
    return this.env.RATE_LIMITS !== 'off'
  }

  /** Bytes of the object's SQLite. */
  protected databaseSize(): number {
    return this.#gauge.bytes
  }

  /** Milliseconds for which queues stay busy; shorter in tests. */
  protected busyQueueMs(): number {
    return HELD_CALLS.busyMs
  }

  /** Milliseconds between batches for D1. Tests shorten them. */
  protected d1RestMs(): number {
    return D1_REST_MS
  }

  /** Milliseconds of quiet after which usage is saved. Tests save it when they want. */
  protected usageQuietMs(): number {
    return QUIET_MS
  }

  /** UNIX seconds. Tests change the clock. */
  protected now(): number {
    return Date.now() / 1_000
  }

  /** Returns how mail is sent. Local development keeps it instead. */
  protected emails({ host }: RealmIdentity): EmailOutlet {
    return emailOutletOf(this.env, host)
  }

  /** Returns the organization's address. Local development has a port. */
  protected origin({ host }: RealmIdentity): string {
    return `https://${host}`
  }

  /** Returns the version of the interface that this build speaks. Tests have other builds. */
  protected interfaceVersion(): number {
    return INTERFACE_VERSION
  }

  /** Returns the steps of the schema. Tests have other builds. */
  protected schemaSteps(): readonly SchemaStep[] {
    return SCHEMA_STEPS
  }

  protected operations(): ReadonlyMap<string, Operation> {
    return OPERATIONS
  }

  #wake(): Runtime | undefined {
    const identity = readIdentity(this.ctx.storage.sql)
    if (!identity) return undefined
    if (deletionBegunAt(this.ctx.storage.sql) !== undefined || isBeingRestored(this.ctx.storage)) {
      void this.#goOnClosed()
      return undefined
    }
    const runtime = this.#build(identity)
    followClock(runtime)
    runtime.change((tx) => {
      announceFeatureLevel(tx, deployedAt(this.env))
      followAddressKey(tx)
    })
    hastenChanges(runtime)
    // Continues what the object left undone when it left memory: due jobs, bodies for D1, polls whose wake-up was lost.
    void runtime.alarm.check()
    void runtime.projector.kick()
    roundsOf(runtime).begin(runtime)
    return runtime
  }

  /** Builds a runtime without having it begin anything. */
  #build(identity: RealmIdentity): Runtime {
    const runtime: Runtime = buildRuntime({
      context: this.ctx,
      env: this.env,
      realm: identity,
      origin: this.origin(identity),
      operations: this.operations(),
      schemaSteps: this.schemaSteps(),
      emails: this.emails(identity),
      limited: () => this.limited(),
      now: () => this.now(),
      databaseSize: () => this.databaseSize(),
      busyQueueMs: () => this.busyQueueMs(),
      d1RestMs: () => this.d1RestMs(),
      usageQuietMs: () => this.usageQuietMs(),
      reached: (point) => this.reached(point),
      leave: () => {
        runtime.projector.stop()
        this.runtime = undefined
      },
    })
    return runtime
  }

  #upgrade(): void {
    upgradeStorage(this.ctx.storage, this.schemaSteps(), this.now())
  }

  /** Makes sure that there is an alarm, since the platform drops one that has failed too often. */
  async #goOnClosed(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(this.now() * 1_000)
  }

  protected running(): Runtime {
    if (!this.runtime) throw new Error('This organization has not been founded')
    return this.runtime
  }
}
