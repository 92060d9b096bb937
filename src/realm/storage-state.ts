import { TAIL } from '../core/budgets.ts'
import { MAX_OBJECT } from '../core/quotas.ts'
import { newestLogId } from '../events/log.ts'
import { countRefusedEntries } from '../store/projection/refused-rows.ts'
import type { RestoreFinding } from './projection/d1-standing.ts'
import { readRestoreFinding } from './projection/restorations.ts'
import type { Runtime } from './runtime.ts'

/** The state of an organization's storage, for monitoring. No content, no names. */
export interface StorageState {
  /** Log entries and bytes that D1 may lack, and their limits. */
  readonly tail: { readonly entries: number; readonly bytes: number; readonly isFull: boolean }
  readonly tailLimit: { readonly entries: number; readonly bytes: number }
  /** Log ids: D1's progress, and the newest. */
  readonly projected: number
  readonly newest: number
  /** UNIX seconds; null while D1 answers. */
  readonly d1FailingSince: number | null
  /** Number of entries that D1 has refused for good: kept aside, and read from there. */
  readonly refusedEntries: number
  /** The restoration of D1 or the object from a copy, and what was lost; null when none was ever noticed. */
  readonly restored: RestoreFinding | null
  /** Bytes. `d1`: the size of the database for new messages; null until it has answered since the object woke. */
  readonly size: { readonly object: number; readonly d1: number | null }
  readonly isNearlyFull: { readonly object: boolean; readonly d1: boolean }
}

export function storageState(runtime: Runtime): StorageState {
  const { sql, tail, projector } = runtime
  const object = runtime.databaseSize()
  return {
    tail: { ...tail.size, isFull: tail.isFull },
    tailLimit: TAIL,
    projected: projector.projected,
    newest: newestLogId(sql),
    d1FailingSince: projector.failingSince ?? null,
    refusedEntries: countRefusedEntries(sql),
    restored: readRestoreFinding(sql) ?? null,
    size: { object, d1: projector.room.size ?? null },
    isNearlyFull: { object: object >= MAX_OBJECT, d1: projector.room.isNearlyFull },
  }
}
