import type { RealmIdentity } from '../core/realm-transaction.ts'
import { readMeta, writeMeta } from '../domain/meta-rows.ts'
import type { Endpoint } from '../endpoints/define-endpoint.ts'
import { LogBuffer } from '../events/log-buffer.ts'
import { BodyTail } from './body-tail.ts'
import { scheduleJob } from './jobs.ts'
import { PollSockets } from './poll-sockets.ts'
import { Projector } from './projector.ts'
import { QueueProgress } from './queue-progress.ts'
import { RateLimiter } from './rate-limiter.ts'
import type { CrashPoint, Runtime } from './runtime.ts'
import { CountedSql, EventIds } from './transaction.ts'

/** What the realm object needs of its surroundings. */
export interface RealmEnvironment {
  readonly DB: D1Database
  readonly RATE_LIMITS?: string
}

export const PROJECT = 'project'

/** The saved cursor of the projection may be this many entries old: D1 itself knows better. */
const SAVE_PROJECTED_EVERY = 256

export interface RuntimeParts {
  readonly context: DurableObjectState
  readonly env: RealmEnvironment
  readonly realm: RealmIdentity
  readonly operations: ReadonlyMap<string, Endpoint>
  now(): number
  reached(point: CrashPoint): void
}

/** Everything a woken object works with, from storage alone. */
export function buildRuntime({ context, env, realm, operations, now, reached }: RuntimeParts): Runtime {
  const sql = new CountedSql(context.storage.sql)
  const ids = new EventIds(sql)
  let savedProjected = readMeta<number>(sql, 'projected') ?? 0
  const tail = new BodyTail(sql, savedProjected)
  const runtime: Runtime = {
    storage: context.storage,
    sql,
    db: env.DB,
    realm,
    ids,
    buffer: new LogBuffer(ids.last),
    tail,
    projector: new Projector({
      sql,
      db: env.DB,
      realmId: realm.id,
      projected: savedProjected,
      onProjected(entryId) {
        tail.projected(entryId)
        if (entryId < savedProjected + SAVE_PROJECTED_EVERY) return
        writeMeta(sql, 'projected', entryId)
        savedProjected = entryId
      },
      retryIn: (seconds) => scheduleJob(runtime, PROJECT, '', now() + seconds),
      reached,
    }),
    polls: new PollSockets(context),
    progress: new QueueProgress(),
    limiter: new RateLimiter(),
    operations,
    limited: env.RATE_LIMITS !== 'off',
    now,
    reached,
  }
  return runtime
}
