import type { Sql } from '../../../core/sql.ts'
import { newestLogId } from '../../../events/log.ts'
import { lineOf, lineOfBody } from '../../../model/backups/backup-form.ts'
import {
  type BackupContents,
  type BackupProgress,
  countContents,
  markTaken,
} from '../../../store/backups/backup-rows.ts'
import { deleteTaken, hasMoreMarks, takeMarks, unfollowChanges } from '../../../store/backups/changed-rows.ts'
import { copiedTables, counterRows } from '../../../store/backups/copied-tables.ts'
import { rowAt } from '../../../store/backups/table-rows.ts'
import { type MetaKey, readMeta } from '../../../store/meta-rows.ts'
import type { BackupWork, NewChunk } from './backup-work.ts'

/** Changed rows that one turn reads: some 20 ms. */
const CHANGES_AT_ONCE = 2_000
/** Rounds after which more changes all the time than can be copied. */
const MAX_ROUNDS = 1_000

interface Changes {
  readonly lines: readonly string[]
  /** Messages that were sent or edited. */
  readonly messages: readonly { readonly id: number; readonly version: number }[]
  /** If nothing else had changed: the moment of the backup, with what there was. */
  readonly moment: { readonly at: number; readonly contents: BackupContents } | undefined
}

/**
 * Copies rows that have changed since they were copied. When one turn reads all that there are, the backup is the state of that moment: all
 * earlier rows are as then. If a text of a message that is among them has changed before it could be read, another moment is found.
 */
export async function copyChanges(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'changes' }>,
): Promise<void> {
  if (progress.round > MAX_ROUNDS) throw new Error('More changes all the time than can be copied')
  const { sql, storage } = work.runtime
  const { lines, messages, moment } = storage.transactionSync(() => readChanges(work))
  const chunks: (NewChunk | undefined)[] = [await work.store('changes', lines)]
  const texts = await linesOfTexts(work, messages)
  chunks.push(await work.store('texts', texts))
  if (moment === undefined || texts.length < messages.length)
    return work.advance(progress, { stage: 'changes', round: progress.round + 1 }, chunks, () =>
      deleteTaken(sql),
    )
  work.advance(progress, { stage: 'files', folder: 0, after: '' }, chunks, () => {
    markTaken(sql, work.id, moment)
    unfollowChanges(storage.sql)
  })
}

function readChanges({ runtime }: BackupWork): Changes {
  const { sql, storage, now } = runtime
  const tables = new Map(copiedTables(storage.sql).map((table) => [table.table, table]))
  const marks = takeMarks(sql, CHANGES_AT_ONCE)
  const changes = marks.map((mark) => ({ ...mark, row: rowAt(sql, tables.get(mark.part)!, mark.key) }))
  const isMoment = !hasMoreMarks(sql, marks.length)
  return {
    lines: [
      ...changes.map(({ part, key, row }) => lineOf([part, key, row ? row.values : null])),
      ...(isMoment ? counterLines(sql) : []),
    ],
    messages: changes.flatMap(({ part, row }) =>
      part === 'message_index' && row ? [versionIn(tables.get(part)!.columns, row.values)] : [],
    ),
    moment: isMoment ? { at: now(), contents: countContents(sql) } : undefined,
  }
}

/** Returns the lines of what must not be given out again: ids of rows, and those of events, which the log alone shows. */
function counterLines(sql: Sql): readonly string[] {
  const counters = counterRows(sql).map((counter) =>
    lineOf(['sqlite_sequence', counter.slice(0, 1), counter]),
  )
  const lastEvent = Math.max(newestLogId(sql), readMeta<number>(sql, 'ephemeral_limit') ?? 0)
  const limit: MetaKey = 'ephemeral_limit'
  return [...counters, lineOf(['meta', [limit], [limit, lastEvent]])]
}

function versionIn(columns: readonly string[], values: readonly unknown[]) {
  const of = (name: string) => Number(values[columns.indexOf(name)])
  return { id: of('id'), version: of('version') }
}

/** Returns the lines of texts that are still in these versions. */
async function linesOfTexts(
  { runtime }: BackupWork,
  wanted: Changes['messages'],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (let left = wanted; left.length > 0; ) {
    const bodies = await runtime.bodies().readVersions(left)
    if (bodies.size === 0) break
    for (const body of bodies.values()) lines.push(lineOfBody(body))
    left = left.filter(({ id }) => !bodies.has(id))
  }
  return lines
}
