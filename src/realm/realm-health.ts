import { TAIL } from '../core/budgets.ts'
import type { MetLimit } from '../core/met-limit.ts'
import type { Sql } from '../core/sql.ts'
import { newestLogId } from '../events/log.ts'
import { limitTold } from '../model/cost/notify-of-limit.ts'
import { bodyDatabaseName } from '../store/d1/body-databases.ts'
import { countDeadLetters } from '../store/dead-letters/dead-letter-rows.ts'
import { listDueJobs } from '../store/jobs/job-rows.ts'
import { listLoginProviders } from '../store/login-providers/login-provider-rows.ts'
import { readMeta } from '../store/meta-rows.ts'
import { countRefusedEntries } from '../store/projection/projection-rows.ts'
import { realmProperty } from '../store/realm/realm-setting-rows.ts'
import { hasAnybodyTotp } from '../store/second-factors/second-factor-rows.ts'
import { isNearlyFull } from './calls/storage-room.ts'
import { readRestoreFinding } from './restorations.ts'
import type { Runtime } from './runtime.ts'

/** Limit of rows that are counted; a higher count is given as this one. */
const MAX_COUNTED = 5_000

/** The health of an organization, for operators: figures alone. */
export interface RealmHealth {
  /** Bytes of the object's SQLite. */
  readonly size_bytes: number
  /** Bytes of D1, for all organizations, from its last answer; null until D1 has been written to since the object woke. */
  readonly d1_size_bytes: number | null
  /** Whether the object, or D1, is so full that requests which make it grow are refused, or soon will be. */
  readonly is_nearly_full: { readonly object: boolean; readonly d1: boolean }
  readonly log: {
    readonly newest_id: number
    /** The id up to which D1 certainly has everything. */
    readonly projected_id: number
    /** Number of entries that D1 has refused for good, which are read from where they are set aside. */
    readonly refused_entries: number
  }
  /** Writes that D1 may lack. */
  readonly tail: {
    readonly entries: number
    readonly bytes: number
    readonly is_full: boolean
    readonly limit: { readonly entries: number; readonly bytes: number }
    readonly oldest_age_s: number | null
  }
  /** UNIX seconds; null while D1 answers. */
  readonly d1_failing_since: number | null
  /** The databases for texts besides `DB`: the first message of each, and what each may lack. */
  readonly texts: readonly {
    readonly database: string
    readonly from_message: number
    readonly tail_entries: number
    readonly failing_since: number | null
  }[]
  /** The last known restoration of D1 (`behind`) or the object (`ahead`) from a copy. */
  readonly restored: {
    readonly kind: 'behind' | 'ahead'
    readonly noticed_at: number
    /** Log ids; null when nothing was lost, and when it is not known. */
    readonly lost_up_to: number | null
  } | null
  readonly jobs: {
    /** Number of jobs that should have been started by now. */
    readonly due: number
    readonly oldest: { readonly kind: string; readonly overdue_s: number; readonly attempts: number } | null
  }
  /** The last limit of the platform that was met. */
  readonly limit: MetLimit | null
  /** Number of dead letters, which owners can retry. */
  readonly dead_letters: number
  readonly queues: { readonly registered: number }
  /** Whether people log in, or have to, with something that is sealed with the deployment's key for secrets. */
  readonly needs_secrets_key: boolean
}

export function realmHealth(runtime: Runtime): RealmHealth {
  const { sql, tail, projector, limits } = runtime
  const at = runtime.now()
  const { projected, room } = projector
  const restored = readRestoreFinding(sql)
  const due = listDueJobs(sql, at, MAX_COUNTED)
  const oldest = due[0]
  return {
    size_bytes: runtime.databaseSize(),
    d1_size_bytes: room.size ?? null,
    is_nearly_full: { object: isNearlyFull(runtime), d1: room.isNearlyFull },
    log: {
      newest_id: newestLogId(sql),
      projected_id: projected,
      refused_entries: countRefusedEntries(sql),
    },
    tail: {
      ...tail.size,
      is_full: tail.isFull,
      limit: TAIL,
      oldest_age_s: ageOfOutbox(sql, projected, at),
    },
    d1_failing_since: projector.failingSince ?? null,
    restored: restored
      ? { kind: restored.kind, noticed_at: restored.noticedAt, lost_up_to: restored.lostUpTo }
      : null,
    texts: tail.ranges.map(({ database, first }) => {
      const { tail: own, projector } = tail.databases.find(({ number }) => number === database)!
      return {
        database: bodyDatabaseName(database),
        from_message: first,
        tail_entries: own.size.entries,
        failing_since: projector.failingSince ?? null,
      }
    }),
    jobs: {
      due: due.length,
      oldest: oldest
        ? { kind: oldest.kind, overdue_s: Math.round(at - oldest.dueAt), attempts: oldest.attempts }
        : null,
    },
    limit: limits.untold ?? limitTold(sql) ?? null,
    dead_letters: countDeadLetters(sql, at),
    queues: { registered: countQueues(sql) },
    needs_secrets_key: needsSecretsKey(sql),
  }
}

/** Log-ins at providers are sealed while under way, even if the provider needs no secret. */
function needsSecretsKey(sql: Sql): boolean {
  return (
    listLoginProviders(sql).some(({ isEnabled }) => isEnabled) ||
    readMeta(sql, 'jwt_secret') !== undefined ||
    hasAnybodyTotp(sql) ||
    realmProperty(sql, 'second_factor_required_for') !== 'nobody'
  )
}

/** Returns the age of the oldest write that D1 lacks, in seconds; null where D1 has all. */
export function ageOfOutbox(sql: Sql, projected: number, at: number): number | null {
  const query = `SELECT at FROM log WHERE id > ? AND writes IS NOT NULL ORDER BY id LIMIT 1`
  const oldest = sql.value(query, projected)
  return oldest === undefined ? null : Math.max(Math.round(at - oldest), 0)
}

/** Counts the registered queues, up to a limit. */
export function countQueues(sql: Sql): number {
  return sql.value(`SELECT COUNT(*) AS n FROM (SELECT 1 FROM queue LIMIT ?)`, MAX_COUNTED)!
}
