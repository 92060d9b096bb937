import type { ChangeLine } from '../../../model/backups/backup-form.ts'
import { findingKey, putFindings } from '../../../store/backups/finding-rows.ts'
import type { ReadingProgress } from '../../../store/backups/reading-rows.ts'
import { changedKind, type ReadingWork } from './reading-work.ts'

/**
 * Notes a chunk of the rows that had changed since they were copied into the backup, of the tables that are needed. Later ones take the place of
 * earlier ones.
 */
export async function readChanges(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'changes' }>,
  tables: readonly string[],
  first: ReadingProgress,
): Promise<void> {
  const name = work.manifest.changes[progress.chunk]
  if (name === undefined) return work.commit(progress, () => first)
  const lines = (await work.lines<ChangeLine>(name)).filter(([table]) => tables.includes(table))
  work.commit(progress, ({ sql }) => {
    for (const [table, changes] of Map.groupBy(lines, ([table]) => table))
      putFindings(
        sql,
        changedKind(table),
        changes.map(([, key, values]) => ({ key: findingKey(key), value: values && JSON.stringify(values) })),
      )
    return { stage: 'changes', chunk: progress.chunk + 1 }
  })
}
