import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMetaJson, writeMeta } from '../meta-rows.ts'

/** The last time that a backup replaced the organization, or was to: one value in `meta`, which no restore touches. */
export interface Restoration {
  readonly backupId: number
  /** The moment of the backup, by which its manifest is found. UNIX seconds with fraction, as all its times. */
  readonly takenAt: number
  /** The owner who has asked for it; null for the operator. */
  readonly askedBy: number | null
  readonly beganAt: number
  /** The backup of what was there before; null until it is begun. */
  readonly archiveId: number | null
  /** Progress of the work; null when it is over. */
  readonly progress: RestoreProgress | null
  /** Number of runs since the last progress. */
  readonly tries: number
  readonly endedAt: number | null
  readonly outcome: RestoreOutcome | null
  /** Moment of the backup of what was there; absent until it is made. */
  readonly archiveTakenAt?: number
  /** Whether the object was emptied for another backup, of which a part was missing: this one is filled in instead. */
  readonly isInstead?: boolean
  /** Earlier ones that have replaced it, the newest last: when, and by a backup of which moment. */
  readonly earlier?: readonly Return[]
}

interface Return {
  readonly at: number
  readonly to: number
}

/** Number of earlier restores that are known one by one. */
const KNOWN_RETURNS = 100

/** Returns the restores up to now. Where there are very many, the oldest count as one, which says no less than each. */
export function returnsUpTo(sql: Sql): readonly Return[] {
  const last = readRestoration(sql)
  if (!last) return []
  const { earlier = [], outcome, endedAt, takenAt } = last
  const all = outcome === 'restored' ? [...earlier, { at: endedAt!, to: takenAt }] : earlier
  if (all.length <= KNOWN_RETURNS) return all
  const [first, second, ...others] = all as [Return, Return, ...Return[]]
  return [{ at: second.at, to: Math.min(first.to, second.to) }, ...others]
}

/** Returns the moment up to which today and a backup of this moment have one history, which is earlier where another backup was restored since. */
export function partedFrom(sql: Sql, moment: number): number {
  const since = returnsUpTo(sql).filter(({ at }) => at >= moment)
  return Math.min(moment, ...since.map(({ to }) => to))
}

/**
 * `damaged`: a part of the backup is missing or cannot be opened; `failed`: a store could not be asked. Both have changed nothing. `returned`: a
 * part went missing while the organization was replaced, and the backup of what was there has brought it back.
 */
export type RestoreOutcome = 'restored' | 'returned' | 'damaged' | 'failed'

/** Progress of a restore: all that its next run needs to know. Numbers are positions in the lists of the manifest. */
export type RestoreProgress =
  /** Looks whether everything is there. The organization is open. */
  | { readonly stage: 'check'; readonly part: number }
  /** Makes a backup of what is there. From here on the organization answers nobody. `to`: where it then goes, if it moves to another server. */
  | { readonly stage: 'archive'; readonly to?: string }
  /** The organization has moved to another server, at this address, and stays closed. */
  | { readonly stage: 'away'; readonly to: string }
  /** Empties the object. From here on there is no way back but another restore. */
  | { readonly stage: 'empty' }
  | { readonly stage: 'rows'; readonly table: number; readonly chunk: number }
  | { readonly stage: 'changes'; readonly chunk: number }
  /** Brings tables up to today's schema. */
  | { readonly stage: 'upgrade' }
  | { readonly stage: 'texts'; readonly chunk: number }
  /** Removes texts that were written since. `database`: position among those that have texts. */
  | { readonly stage: 'other-texts'; readonly database: number; readonly after: number }
  | { readonly stage: 'files'; readonly folder: number; readonly chunk: number; readonly after: string }
  /** Of a copy: puts files in it that the organization has deleted since. */
  | { readonly stage: 'gone-files'; readonly chunk: number }
  /** Of a copy: closes what its readers may not see. */
  | { readonly stage: 'limit' }
  /** Of a copy: takes out messages that were moved since to where not all owners read. */
  | { readonly stage: 'take-out' }
  | { readonly stage: 'open' }
  /** A part of the backup of what was there is missing as well. The organization stays closed until the operator names another one. */
  | { readonly stage: 'stuck' }

export function readRestoration(sql: Sql): Restoration | undefined {
  return readMetaJson<Restoration>(sql, 'restoration')
}

export function writeRestoration(sql: WritableSql, restoration: Restoration): void {
  writeMeta(sql, 'restoration', JSON.stringify(restoration))
}

/** Returns the restore that is not over. */
export function findRestoreUnderWay(
  sql: Sql,
): (Restoration & { readonly progress: RestoreProgress }) | undefined {
  const restoration = readRestoration(sql)
  return restoration?.progress ? { ...restoration, progress: restoration.progress } : undefined
}

/** Whether the organization answers nobody, since its storage is being replaced. */
export function isClosedForRestore(sql: Sql): boolean {
  const stage = findRestoreUnderWay(sql)?.progress.stage
  return stage !== undefined && stage !== 'check'
}

/** Returns the address of the server to which the organization moves or has moved; undefined if it is here. */
export function movedTo(sql: Sql): string | undefined {
  const progress = findRestoreUnderWay(sql)?.progress
  return progress?.stage === 'archive' || progress?.stage === 'away' ? progress.to : undefined
}

const WHILE_FILLING: ReadonlySet<string> = new Set<RestoreProgress['stage']>([
  ...(['rows', 'changes', 'upgrade', 'stuck'] as const),
])

/** Whether the tables are those of a backup, and not all of its rows are in them. */
export function isBeingFilled(sql: Sql): boolean {
  const { progress, isInstead = false } = findRestoreUnderWay(sql) ?? {}
  return WHILE_FILLING.has(progress?.stage ?? '') || (isInstead && progress?.stage === 'empty')
}

/** Whether nothing goes on until the operator names another backup. */
export function isRestoreStuck(sql: Sql): boolean {
  return findRestoreUnderWay(sql)?.progress.stage === 'stuck'
}

/** Fills in another backup in place of the one that is being filled in. */
export function restoreInstead(
  sql: WritableSql,
  { id, takenAt }: { readonly id: number; readonly takenAt: number },
): void {
  const next = { backupId: id, takenAt, progress: { stage: 'empty' }, tries: 0, isInstead: true } as const
  writeRestoration(sql, { ...readRestoration(sql)!, ...next })
}

/** @throws Error when another run has continued from there */
export function advanceRestore(sql: WritableSql, from: RestoreProgress, progress: RestoreProgress): void {
  const restoration = findRestoreUnderWay(sql)
  if (JSON.stringify(restoration?.progress) !== JSON.stringify(from))
    throw new Error('The restore is not where it was')
  writeRestoration(sql, { ...restoration!, progress, tries: 0 })
}

/** Counts a run that begins. */
export function countRestoreTry(sql: WritableSql): void {
  const restoration = readRestoration(sql)!
  writeRestoration(sql, { ...restoration, tries: restoration.tries + 1 })
}

export function endRestore(sql: WritableSql, outcome: RestoreOutcome, at: number): void {
  writeRestoration(sql, { ...readRestoration(sql)!, progress: null, tries: 0, endedAt: at, outcome })
}
