import type { RealmIdentity } from '../core/realm-transaction.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import { LogBuffer } from '../events/log-buffer.ts'
import type { PushEnvironment } from './ask-bouncer.ts'
import { BodyTail } from './body-tail.ts'
import { CountedSql } from './counted-sql.ts'
import { DirectoryMemory } from './directory-memory.ts'
import type { EmailEnvironment } from './email-sender.ts'
import { EventIds } from './event-ids.ts'
import { Housekeeping } from './housekeeping.ts'
import { JobAlarm, scheduleJob } from './job-alarm.ts'
import { Memory } from './memory.ts'
import { PollSockets } from './poll-sockets.ts'
import { Projector } from './projector.ts'
import { pushBouncerOf } from './push-bouncer.ts'
import { PushWork } from './push-work.ts'
import { QueueProgress } from './queue-progress.ts'
import { RateLimiter } from './rate-limiter.ts'
import type { CrashPoint, EmailOutlet, Runtime } from './runtime.ts'
import { Slots } from './slots.ts'
import { WebhookSlots } from './webhook-slots.ts'

/** What the realm object needs of its surroundings. */
export interface RealmEnvironment extends EmailEnvironment, PushEnvironment {
  readonly DB: D1Database
  readonly UPLOADS: R2Bucket
  readonly RATE_LIMITS?: string
  /** `host:port`, apart by spaces: where outgoing webhooks may be posted although it is not public. */
  readonly WEBHOOK_ALLOWED_HOSTS?: string
}

/** The job that tries again to write to D1. */
export const PROJECT = 'project'

/** With the webhooks, and D1's connections beside, as many as the platform opens at a time. */
const PREVIEWS_AT_ONCE = 2

/** The saved cursor of the projection may be this many ids old: D1 itself knows better. */
const SAVE_PROJECTED_EVERY = 256

export interface RuntimeParts {
  readonly context: DurableObjectState
  readonly env: RealmEnvironment
  readonly realm: RealmIdentity
  readonly operations: ReadonlyMap<string, Operation>
  readonly emails: EmailOutlet
  limited(): boolean
  now(): number
  reached(point: CrashPoint): void
}

/** Everything a woken object works with, from storage alone. */
export function buildRuntime({ context, env, ...parts }: RuntimeParts): Runtime {
  const { storage } = context
  const sql = new CountedSql(storage.sql)
  const ids = new EventIds(sql)
  const alarm = new JobAlarm(storage, sql)
  let savedProjected = readMeta<number>(sql, 'projected') ?? 0
  const tail = new BodyTail(sql, savedProjected)
  const projector = new Projector({
    sql,
    db: env.DB,
    realmId: parts.realm.id,
    projected: savedProjected,
    now: parts.now,
    reached: parts.reached,
    retryAt: (dueAt) => scheduleJob({ sql, alarm }, { kind: PROJECT, key: '', dueAt }),
    onProjected(entryId) {
      tail.projected(entryId)
      if (entryId < savedProjected + SAVE_PROJECTED_EVERY) return
      writeMeta(sql, 'projected', entryId)
      savedProjected = entryId
    },
  })
  return {
    ...parts,
    storage,
    sql,
    db: env.DB,
    uploads: env.UPLOADS,
    push: pushBouncerOf(env),
    pushes: new PushWork(),
    ids,
    directory: new DirectoryMemory(),
    alarm,
    buffer: new LogBuffer(ids.last),
    tail,
    projector,
    housekeeping: new Housekeeping(),
    polls: new PollSockets(context),
    progress: new QueueProgress(),
    memory: new Memory(),
    limiter: new RateLimiter(),
    webhooks: new WebhookSlots(env.WEBHOOK_ALLOWED_HOSTS),
    previews: new Slots(PREVIEWS_AT_ONCE),
  }
}
