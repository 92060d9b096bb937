import { addressDigest } from '../core/address-digest.ts'
import { type BackupEnvironment, backupStores } from '../core/backup-store.ts'
import { type CostCapEnvironment, costCapsOf } from '../core/cost-cap.ts'
import {
  allowsWebPublic,
  deployedAt,
  type ExternalContentEnvironment,
  proxiesPictures,
  type VersionEnvironment,
  type WebPublicEnvironment,
} from '../core/deployment-settings.ts'
import { type FileLimitEnvironment, fileLimits } from '../core/files.ts'
import type { Backups } from '../core/job-runtime.ts'
import type { LogEnvironment } from '../core/log.ts'
import type { BodyRanges } from '../core/message-bodies.ts'
import type { MetLimit } from '../core/met-limit.ts'
import { hostsIn } from '../core/outgoing-target.ts'
import { ownerIn, pausesOf } from '../core/pauses.ts'
import { DEFAULT_RATE_LIMITS, type RateLimitEnvironment, readRateLimits } from '../core/rate-limits.ts'
import type { D1Write } from '../core/realm-transaction.ts'
import { backupSealer } from '../core/sealed-backup.ts'
import type { SealingEnvironment } from '../core/sealed-secret.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import { Memory } from '../engine/memory.ts'
import { Readings } from '../engine/readings.ts'
import { hasWritesAfter } from '../events/log.ts'
import { LogBuffer } from '../events/log-buffer.ts'
import { EventRepresentations } from '../events/representations.ts'
import type { EmailEnvironment } from '../outgoing/emails/email-sender.ts'
import type { PushEnvironment } from '../outgoing/push/ask-bouncer.ts'
import { PushCircuitBreaker, WebPushCircuitBreaker } from '../outgoing/push/failure.ts'
import { pushBouncerOf } from '../outgoing/push/push-bouncer.ts'
import { WorkInLanes } from '../outgoing/work-in-lanes.ts'
import {
  type BodyDatabaseEnvironment,
  type BodyDatabaseSettings,
  bodyDatabase,
  maxDatabase,
  newestBodyDatabase,
} from '../store/d1/body-databases.ts'
import { bucketOf, type FileEnvironment } from '../store/d1/bucket.ts'
import { countRefusedEntries, insertRefusedEntry } from '../store/projection/projection-rows.ts'
import { afterCommit } from './after-commit.ts'
import { LargeAnswers } from './calls/large-answers.ts'
import { RateLimiter, SpectatorAllowance } from './calls/rate-limiter.ts'
import { SharedSlices } from './calls/shared-slices.ts'
import { EventIds } from './calls/transaction.ts'
import { changeBy, suspendableChange } from './jobs/change-by-job.ts'
import { type AuditLogEnvironment, auditLogDays, Housekeeping } from './jobs/housekeeping.ts'
import { JobAlarm, scheduleJob } from './jobs/job-alarm.ts'
import { ClockWatch, StatisticsWatch } from './jobs/watches.ts'
import { PollSockets } from './polls/poll-sockets.ts'
import { QueueProgress } from './polls/queue-progress.ts'
import { rangesFromNow } from './projection/body-database-rows.ts'
import { BodyTail, messagesIn } from './projection/body-tail.ts'
import { type BodyDatabase, BodyTails, databaseOfWrite, Projectors } from './projection/body-tails.ts'
import { Projector } from './projection/projector.ts'
import { SavedCursor } from './projection/saved-cursor.ts'
import { restorations } from './restorations.ts'
import type { Runtime } from './runtime.ts'
import { saveUsage } from './save-usage.ts'
import { CostWatch } from './usage/cost-watch.ts'
import { LimitWatch } from './usage/limit-watch.ts'
import { UsageWatch } from './usage/usage-watch.ts'

/** Entries that D1 has refused for good and that are set aside. Above this number the projection waits as in an outage. */
const REFUSED_ENTRIES = 1_000

/** Code with which a socket is closed: ask again. */
const SERVICE_RESTART = 1_012

export interface RealmEnvironment
  extends EmailEnvironment,
    PushEnvironment,
    LogEnvironment,
    VersionEnvironment,
    ExternalContentEnvironment,
    RateLimitEnvironment,
    AuditLogEnvironment,
    FileLimitEnvironment,
    FileEnvironment,
    WebPublicEnvironment,
    SealingEnvironment,
    BackupEnvironment,
    BodyDatabaseEnvironment,
    BodyDatabaseSettings,
    CostCapEnvironment {
  readonly UPLOADS?: R2Bucket
  /** 'off' switches the limits of requests off, for load tests; limits of logins and mail stay. */
  readonly RATE_LIMITS?: string
  /** `host:port`, separated by spaces: non-public targets to which outgoing webhooks may be posted. */
  readonly WEBHOOK_ALLOWED_HOSTS?: string
}

/** Parts of the runtime that the object provides. */
type Decided =
  | 'realm'
  | 'origin'
  | 'operations'
  | 'schemaSteps'
  | 'emails'
  | 'limited'
  | 'now'
  | 'databaseSize'
  | 'busyQueueMs'
  | 'd1RestMs'
  | 'usageQuietMs'
  | 'reached'
  | 'leave'

interface RuntimeParts extends Pick<Runtime, Decided> {
  readonly context: DurableObjectState
  readonly env: RealmEnvironment
}

export function backupsOf(env: BackupEnvironment & SealingEnvironment): Backups {
  return { stores: backupStores(env), sealer: () => backupSealer(env) }
}

/** Builds everything that a woken object works with, from storage alone. */
export function buildRuntime({ context, env, now: timeNow, ...rest }: RuntimeParts): Runtime {
  const { storage } = context
  const sql = new CountedSql(storage.sql)
  const clock = new ClockWatch(sql, timeNow)
  const parts = { ...rest, now: () => clock.now() }
  const ids = new EventIds(sql)
  const lanes = new WorkInLanes(parts.realm.id)
  const alarm = new JobAlarm({ storage, sql, lanes, realm: parts.realm, now: parts.now })
  const housekeeping = new Housekeeping()
  const memory = new Memory()
  const ranges = rangesFromNow(sql, newestBodyDatabase(env))
  const limits = new LimitWatch()
  const databases = [0, ...ranges.map(({ database }) => database)].map((number) =>
    buildDatabase({
      ...parts,
      ...{ sql, ids, alarm, housekeeping, memory, ranges, number, db: bodyDatabase(env, number) },
      maxSize: () => maxDatabase(env),
      onLimit: (met) => limits.note(met),
    }),
  )
  const costCaps = () => costCapsOf(env, parts.realm.host)
  const cost = new CostWatch({ sql, memory, costCaps, now: parts.now })
  const tail = new BodyTails(ranges, databases)
  const push = pushBouncerOf(env)
  const pauseFor = (userId?: number) => pausesOf(ownerIn(parts.realm.id, userId))
  const runtime: Runtime = {
    ...parts,
    busyQueueMs: () => (cost.isShed('holds') ? 0 : parts.busyQueueMs()),
    cost,
    limits,
    costCaps,
    build: {
      name: `${deployedAt(env)} ${parts.realm.host} ${parts.realm.createdAt}`,
      isKnown: deployedAt(env) > 0,
    },
    storage,
    sql,
    clock,
    db: env.DB,
    uploads: bucketOf(env),
    backups: backupsOf(env),
    schema: parts.schemaSteps.length,
    push,
    lanes,
    pushes: new PushCircuitBreaker(),
    webPushRest: new WebPushCircuitBreaker(),
    ids,
    readings: new Readings(sql.watch, sql),
    alarm,
    buffer: new LogBuffer(ids.last),
    forms: new EventRepresentations(),
    tail,
    projector: new Projectors(sql, tail),
    housekeeping,
    statistics: new StatisticsWatch(),
    usage: new UsageWatch(parts.usageQuietMs, () => void saveUsage(runtime)),
    polls: new PollSockets(context, parts.realm.id),
    progress: new QueueProgress(() => housekeeping.wake({ sql, alarm, now: parts.now })),
    memory,
    limiter: new RateLimiter(),
    spectators: new SpectatorAllowance(),
    largeAnswers: new LargeAnswers(),
    turns: new SharedSlices(() => sql.counts.read + sql.counts.written),
    webhooks: { allowedHosts: hostsIn(env.WEBHOOK_ALLOWED_HOSTS), busyBots: new Set<number>() },
    drivenChanges: new Map<string, Promise<void>>(),
    proxiesPictures: () => proxiesPictures(env),
    sendsMail: () => parts.emails.isConfigured,
    sendsPushes: () => push.isConfigured,
    digestOfAddress: addressDigest(env),
    rateLimits: () => ({ ...DEFAULT_RATE_LIMITS, ...readRateLimits(env) }),
    auditLogDays: () => auditLogDays(env),
    fileLimits: () => fileLimits(env),
    allowsWebPublic: () => allowsWebPublic(env),
    async restart() {
      await storage.setAlarm(parts.now() * 1_000)
      await storage.sync()
      for (const socket of context.getWebSockets()) socket.close(SERVICE_RESTART)
      context.abort('The organization is closed')
    },
    pause: pauseFor(),
    pauseFor,
    bodies: () => tail.readerOver(runtime),
    committed: (commit) => afterCommit(runtime, commit),
    change: (change) => changeBy(runtime, change),
    suspendableChange: (change) => suspendableChange(runtime, change),
  }
  return runtime
}

interface DatabaseParts
  extends Pick<
      Runtime,
      'realm' | 'now' | 'd1RestMs' | 'reached' | 'sql' | 'ids' | 'alarm' | 'housekeeping' | 'memory'
    >,
    Pick<BodyDatabase, 'number' | 'db'> {
  readonly ranges: BodyRanges
  /** Returns the bytes that the database may have. */
  maxSize(): number
  onLimit(met: MetLimit): void
}

/** Builds the parts of one database of the organization: its cursor, the tail that it may lack, and the projector. */
function buildDatabase(parts: DatabaseParts): BodyDatabase {
  const { sql, alarm, ranges, number, db } = parts
  const own = (writes: readonly D1Write[]) =>
    ranges.length === 0 ? writes : writes.filter((write) => databaseOfWrite(ranges, write) === number)
  const cursor = new SavedCursor(sql, number)
  const tail = new BodyTail(sql, cursor.saved.projected, { database: number, own })
  const key = number === 0 ? '' : String(number)
  const projector = new Projector({
    ...restorations({ ...parts, tail, cursor }),
    sql,
    db,
    realmId: parts.realm.id,
    saved: cursor.saved,
    own,
    hasMore: (after) => (ranges.length === 0 ? hasWritesAfter(sql, after) : !tail.isEmpty),
    lastId: () => parts.ids.last,
    now: parts.now,
    maxSize: parts.maxSize,
    onLimit: parts.onLimit,
    isNewest: number === (ranges.at(-1)?.database ?? 0),
    restMs: parts.d1RestMs,
    reached: parts.reached,
    retryAt: (dueAt) => scheduleJob({ sql, alarm }, { kind: 'project', key, dueAt }),
    onProjected(reached) {
      tail.projected(reached.projected)
      cursor.follow(reached)
    },
    setAside(entry, reason) {
      if (countRefusedEntries(sql) >= REFUSED_ENTRIES) return false
      const messageIds = messagesIn(entry)
      const refused = { ...entry, database: number, at: parts.now(), reason, messageIds }
      insertRefusedEntry(sql, refused)
      tail.keepRefused(refused)
      return true
    },
  })
  return { number, db, tail, projector, cursor }
}
