import type { TextLine } from '../../model/backups/backup-form.ts'
import { type FilledTexts, fillTexts, removeOtherTexts } from '../../model/backups/fill-texts.ts'
import { advanceRestore, type RestoreProgress } from '../../store/backups/restoration-rows.ts'
import { listBodyRanges } from '../projection/body-database-rows.ts'
import type { RestoreWork } from './restore-work.ts'

/** Makes D1 have the texts of the next chunk, and in the end no others. */
export async function replaceTexts(
  work: RestoreWork,
  progress: Extract<RestoreProgress, { stage: 'texts' | 'other-texts' }>,
): Promise<void> {
  const { sql, realm, reader, database } = work
  const ranges = listBodyRanges(sql)
  const filled: FilledTexts = { sql, realmId: realm.id, locations: { ranges, database } }
  if (progress.stage === 'texts') {
    const name = reader.manifest.texts[progress.chunk]
    if (name === undefined) {
      // A copy has no other texts, and shows the files of the organization.
      if (realm.copyOf) return advanceRestore(sql, progress, { stage: 'gone-files', chunk: 0 })
      return advanceRestore(sql, progress, { stage: 'other-texts', database: 0, after: 0 })
    }
    await fillTexts(filled, await reader.lines<TextLine>(name))
    return advanceRestore(sql, progress, { stage: 'texts', chunk: progress.chunk + 1 })
  }
  const number = [0, ...ranges.map((range) => range.database)][progress.database]
  if (number === undefined)
    return advanceRestore(sql, progress, { stage: 'files', folder: 0, chunk: 0, after: '' })
  const next = await removeOtherTexts(filled, number, progress.after)
  advanceRestore(
    sql,
    progress,
    next === undefined
      ? { ...progress, database: progress.database + 1, after: 0 }
      : { ...progress, after: next },
  )
}
