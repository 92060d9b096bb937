import type { JobKind } from '../../core/job-kinds.ts'
import { newestLogId } from '../../events/log.ts'
import { applyListedErasures } from '../../features/erasure/background/list-erasures.ts'
import type { ChangeLine, RowLine } from '../../model/backups/backup-form.ts'
import { fillChanges, fillRows } from '../../store/backups/fill-tables.ts'
import { beginReplacing, endReplacing, OF_SERVER } from '../../store/backups/living-rows.ts'
import {
  advanceRestore,
  endRestore,
  type RestoreProgress,
  readRestoration,
} from '../../store/backups/restoration-rows.ts'
import { applyBatch, insertProjection, readApplied } from '../../store/d1/projection.ts'
import { failUnfinishedImport } from '../../store/imports/import-rows.ts'
import { deleteJob, enqueueJob } from '../../store/jobs/job-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'
import { listBodyRanges, writeBodyCursor } from '../projection/body-database-rows.ts'
import { stopReadingCopies } from '../projection/text-epoch.ts'
import type { RestoreWork } from './restore-work.ts'

/** What follows once the organization is open again. */
const AFTER_FILL: readonly JobKind[] = ['compare-accounts', 'make-backup', 'announce-restore']

type At<Stage extends RestoreProgress['stage']> = Extract<RestoreProgress, { stage: Stage }>

/**
 * Empties the object. D1's cursor moves to the last event id before, so that a batch of the former log that is still on its way is refused.
 * Ids of events and messages that were given out are not given out again.
 */
export async function emptyObject(work: RestoreWork, progress: At<'empty'>): Promise<void> {
  const { sql, storage, realm, reader, schemaSteps } = work
  const last = Math.max(newestLogId(sql), readMeta<number>(sql, 'ephemeral_limit') ?? 0)
  const numbers = listBodyRanges(sql).map(({ database }) => database)
  for (const number of [0, ...numbers]) await moveCursor(work.database(number), realm.id, last)
  storage.transactionSync(() => {
    for (const key of ['ephemeral_limit', 'projected', 'd1_applied', 'trimmed'] as const)
      writeMeta(sql, key, last)
    for (const number of numbers) writeBodyCursor(sql, number, { projected: last, applied: last })
    writeMeta(sql, 'message_id_floor', newestMessageId(sql))
    advanceRestore(sql, progress, { stage: 'rows', table: 0, chunk: 0 })
    beginReplacing(storage.sql, schemaSteps.slice(0, reader.manifest.schema), work.move && OF_SERVER)
  })
}

/** Moves the cursor of a database, however it got where it is. */
async function moveCursor(db: D1Database, realmId: number, to: number): Promise<void> {
  const from = await readApplied(db, realmId)
  if (from === undefined) await insertProjection(db, realmId)
  if (from !== to) await applyBatch(db, realmId, { from: from ?? 0, to, groups: [] })
}

/** Fills in the next chunk. */
export async function fillChunk(work: RestoreWork, progress: At<'rows'> | At<'changes'>): Promise<void> {
  const { sql, storage, reader } = work
  const { tables, changes } = reader.manifest
  if (progress.stage === 'changes') {
    const name = changes[progress.chunk]
    if (name === undefined) return advanceRestore(sql, progress, { stage: 'upgrade' })
    const lines = await changesOf(work, name)
    storage.transactionSync(() => {
      fillChanges(storage.sql, tables, lines)
      advanceRestore(sql, progress, { stage: 'changes', chunk: progress.chunk + 1 })
    })
    return
  }
  const table = tables[progress.table]
  if (!table) return advanceRestore(sql, progress, { stage: 'changes', chunk: 0 })
  const name = table.chunks[progress.chunk]
  if (name === undefined)
    return advanceRestore(sql, progress, { stage: 'rows', table: progress.table + 1, chunk: 0 })
  const lines = await reader.lines<RowLine>(name)
  const rows = work.move ? await work.move.sealed(lines, table) : lines
  storage.transactionSync(() => {
    fillRows(storage.sql, table, rows)
    advanceRestore(sql, progress, { ...progress, chunk: progress.chunk + 1 })
  })
}

/** Returns the lines of a chunk of changed rows, with secrets as this server seals them. */
async function changesOf({ reader, move }: RestoreWork, chunk: string): Promise<readonly ChangeLine[]> {
  const lines = await reader.lines<ChangeLine>(chunk)
  if (!move) return lines
  const tables = new Map(reader.manifest.tables.map((table) => [table.name, table]))
  return Promise.all(
    lines.map(async (line): Promise<ChangeLine> => {
      const [name, key, values] = line
      const table = tables.get(name)
      return table && values ? [name, key, (await move.sealed([values], table))[0]!] : line
    }),
  )
}

/** Brings the filled tables up to today's schema. */
export function upgradeRows(
  { sql, storage, schemaSteps, now, move }: RestoreWork,
  progress: At<'upgrade'>,
): void {
  storage.transactionSync(() => {
    if (endReplacing(storage.sql, schemaSteps, move && OF_SERVER))
      enqueueJob(sql, { kind: 'rewrite-rows', key: '', dueAt: now() })
    advanceRestore(sql, progress, { stage: 'texts', chunk: 0 })
  })
}

/**
 * Ends the restore: the organization is as it was at the backup's moment, but for people who were erased since, who are erased again. What D1 has
 * of its people is compared behind.
 */
export async function openAgain(work: RestoreWork, _progress: At<'open'>): Promise<void> {
  const { sql, storage, realm, reader, now } = work
  const { organization, takenAt } = reader.manifest
  await applyListedErasures({ ...work.runtime(), backups: work.backups }, organization.realmId, takenAt)
  storage.transactionSync(() => {
    if (!realm.copyOf) {
      // A deletion that was planned then is not carried out: somebody wants to have the organization.
      deleteJob(sql, { kind: 'delete-realm', key: '' })
      for (const kind of AFTER_FILL) enqueueJob(sql, { kind, key: '', dueAt: now() })
      if (failUnfinishedImport(sql, 'A backup without the uploaded file was restored'))
        enqueueJob(sql, { kind: 'import-organization', key: '', dueAt: now() })
    }
    deleteMeta(sql, 'move_plan')
    stopReadingCopies({ sql, now })
    const { isInstead, backupId, archiveId } = readRestoration(sql)!
    endRestore(sql, isInstead && backupId === archiveId ? 'returned' : 'restored', now())
  })
}
