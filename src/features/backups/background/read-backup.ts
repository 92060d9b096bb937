import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import { log } from '../../../core/log.ts'
import { TimeLimit } from '../../../core/within-time.ts'
import { renewChannelStatistics } from '../../../model/channels/activity/channel-statistics.ts'
import { endQueues } from '../../../model/users/login/sessions.ts'
import { deleteSomeFindings } from '../../../store/backups/finding-rows.ts'
import {
  type BackupReading,
  countReadingTry,
  endReading,
  findUnfinishedReading,
  type ReadingProgress,
} from '../../../store/backups/reading-rows.ts'
import { listeningUserIds } from '../../../store/users/account-set-rows.ts'
import { COMPARED_TABLES, compareRows, FIRST_COMPARISON, nameTopics } from './compare.ts'
import { GIVEN_BACK_TABLES, postMessages, writeBelongings } from './give-back-belongings.ts'
import { putNextFile } from './give-back-files.ts'
import { findGoneMessages, findTopics, writeMessages } from './give-back-messages.ts'
import { readChanges } from './read-changes.ts'
import { ReadingMovedError, ReadingWork } from './reading-work.ts'

/** Seconds after which a run starts nothing new, since other due work waits. */
const RUN_SECONDS = 1.5
/** Number of runs without progress after which a reading has failed. */
const MAX_TRIES = 8

const atWork = new WeakSet<JobRuntime>()

/**
 * Continues the unfinished reading of a backup: a comparison, or a part that is given back. Each step is one commit with the progress, so the
 * object may die at any moment, and runs never overlap.
 */
export async function readBackup(runtime: JobRuntime): Promise<NextTime> {
  const reading = findUnfinishedReading(runtime.sql)
  if (!reading) return undefined
  if (atWork.has(runtime)) return runtime.now() + RUN_SECONDS
  if (reading.tries >= MAX_TRIES) return giveUp(runtime, reading)
  atWork.add(runtime)
  try {
    countReadingTry(runtime.sql, reading.id)
    const work = await ReadingWork.of(runtime, reading)
    const time = new TimeLimit(RUN_SECONDS * 1_000)
    do {
      const { progress } = work
      if (!progress) return undefined
      await step(work, progress)
      await runtime.storage.sync()
      runtime.reached('importing')
      await runtime.pause()
    } while (!time.isOver)
    return runtime.now()
  } catch (error) {
    if (error instanceof ReadingMovedError) return runtime.now()
    throw error
  } finally {
    atWork.delete(runtime)
  }
}

function step(work: ReadingWork, progress: ReadingProgress): Promise<void> {
  switch (progress.stage) {
    case 'changes':
      return work.reading.part
        ? readChanges(work, progress, GIVEN_BACK_TABLES, { stage: 'topics', chunk: 0, line: 0 })
        : readChanges(work, progress, COMPARED_TABLES, FIRST_COMPARISON)
    case 'compare':
      return compareRows(work, progress)
    case 'name':
      return nameTopics(work, progress)
    case 'topics':
      return findTopics(work, progress)
    case 'find':
      return findGoneMessages(work, progress)
    case 'write':
      return writeMessages(work, progress)
    case 'belongings':
      return writeBelongings(work, progress)
    case 'files':
      return putNextFile(work, progress)
    case 'post':
      return postMessages(work, progress)
    case 'tidy':
      return tidy(work)
  }
}

/** Deletes what was found, and ends the reading. Messages that were given back make no events: clients that are online register again. */
async function tidy({ runtime, reading }: ReadingWork): Promise<void> {
  await deleteFindings(runtime)
  await runtime.suspendableChange((tx) => {
    const { counts } = findUnfinishedReading(tx.sql)!
    if ((counts.messages ?? 0) > 0) {
      const dueAt = renewChannelStatistics(tx)
      if (dueAt !== undefined) tx.schedule({ kind: 'channel-statistics', key: '', dueAt })
      endQueues(tx, listeningUserIds(tx.sql))
    }
    endReading(tx.sql, reading.id, { finishedAt: tx.now })
  })
}

async function deleteFindings({ sql, storage, pause }: JobRuntime): Promise<void> {
  while (storage.transactionSync(() => deleteSomeFindings(sql, ENTRIES_AT_ONCE))) await pause()
}

async function giveUp(runtime: JobRuntime, { id, backupId, progress }: BackupReading): Promise<undefined> {
  const { realm } = runtime
  log('error', 'Reading a backup has failed', {
    organization: realm.host,
    backup: backupId,
    stage: progress?.stage,
  })
  await deleteFindings(runtime)
  runtime.change((tx) => endReading(tx.sql, id, { failedAt: tx.now }))
}
