import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { TimeLimit } from '../../core/time-limit.ts'
import { renewChannelStatistics } from '../../domain/channels/activity/channel-statistics.ts'
import { listeningUserIds } from '../../domain/events/listener-rows.ts'
import { insertProblems, listPieces, type ThingType } from '../../domain/imports/import-piece-rows.ts'
import type {
  ImportProgress,
  WritingMessagesProgress,
  WritingThingsProgress,
} from '../../domain/imports/import-progress.ts'
import { ImportTally } from '../../domain/imports/import-report.ts'
import {
  findImport,
  type RealmImport,
  requireAdvance,
  writeReport,
} from '../../domain/imports/import-rows.ts'
import type { ImportWork } from '../../domain/imports/import-work.ts'
import { writeChannel } from '../../domain/imports/write-channel.ts'
import { writeMessage } from '../../domain/imports/write-message.ts'
import { writePerson } from '../../domain/imports/write-person.ts'
import { endQueuesOf } from '../../domain/users/login/end-sessions.ts'
import type { NeutralRecord } from '../../imports/neutral.ts'
import { suspendableChange } from '../jobs/change-by-job.ts'
import type { Runtime } from '../runtime.ts'
import { MergedRuns } from './merge-runs.ts'
import { readRange } from './stored-archive.ts'

/** Records of one commit; a channel may have thousands of members, so there are few of them. */
const PEOPLE_AT_ONCE = 50
const CHANNELS_AT_ONCE = 2
/** Messages of one commit, and the characters of their texts: rendering ten thousand takes 15 ms. */
const MESSAGES_AT_ONCE = { messages: 100, length: 10_000 }

type Write = (tx: RealmTransaction, work: ImportWork, record: NeutralRecord) => void

/** Things in the order in which they are written: each refers to those before it. */
const THINGS_IN_ORDER: readonly {
  readonly type: ThingType
  readonly atOnce: number
  readonly write: Write
}[] = [
  {
    type: 'user',
    atOnce: PEOPLE_AT_ONCE,
    write: (tx, work, record) => record.type === 'user' && writePerson(tx, work, record),
  },
  {
    type: 'channel',
    atOnce: CHANNELS_AT_ONCE,
    write: (tx, work, record) => record.type === 'channel' && writeChannel(tx, work, record),
  },
]

/** Writes things of one type after the other until the time is over. */
export async function writeThings(
  runtime: Runtime,
  imported: RealmImport,
  from: WritingThingsProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const { type, atOnce, write } = THINGS_IN_ORDER[from.step]!
  let progress: WritingThingsProgress = from
  for (const piece of listPieces(runtime.sql, imported.id, type).slice(from.piece)) {
    const text = new TextDecoder().decode(await readRange(runtime, piece.key, 0, piece.size))
    const lines = text.split('\n').slice(0, -1)
    while (progress.line < lines.length) {
      const next = lines.slice(progress.line, progress.line + atOnce) as JsonText<NeutralRecord>[]
      const after = { ...progress, line: progress.line + next.length }
      progress = await commit(runtime, imported, progress, after, (tx, work) => {
        for (const line of next) write(tx, work, fromJson(line))
      })
      await runtime.pause()
      if (time.isOver) return progress
    }
    progress = await commit(
      runtime,
      imported,
      progress,
      { ...progress, piece: progress.piece + 1, line: 0 },
      () => {},
    )
  }
  const isLastStep = progress.step === THINGS_IN_ORDER.length - 1
  const next: ImportProgress = isLastStep
    ? { stage: 'messages', offsets: [], messages: 0 }
    : { stage: 'things', step: progress.step + 1, piece: 0, line: 0 }
  return commit(runtime, imported, progress, next, () => {})
}

/** Writes messages by time until the time is over. */
export async function writeMessages(
  runtime: Runtime,
  imported: RealmImport,
  from: WritingMessagesProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const runs = new MergedRuns(runtime, listPieces(runtime.sql, imported.id, 'messages'), from.offsets)
  let progress: WritingMessagesProgress = from
  do {
    const messages = await runs.next(MESSAGES_AT_ONCE)
    if (messages.length === 0) {
      return commit(runtime, imported, progress, { stage: 'tidy', outcome: 'finished' }, finish)
    }
    const after = { ...progress, offsets: runs.offsets, messages: progress.messages + messages.length }
    progress = await commit(runtime, imported, progress, after, (tx, work) => {
      for (const message of messages) writeMessage(tx, work, message)
    })
    await runtime.pause()
  } while (!time.isOver)
  return progress
}

/** Clients get no event about what was imported: all that are online register once. */
function finish(tx: RealmTransaction): void {
  renewChannelStatistics(tx)
  endQueuesOf(tx, listeningUserIds(tx.sql))
}

/** Makes one commit of an import: what is written, what is counted, and the progress. */
async function commit<Next extends ImportProgress>(
  runtime: Runtime,
  { id }: RealmImport,
  from: ImportProgress,
  progress: Next,
  write: (tx: RealmTransaction, work: ImportWork) => void,
): Promise<Next> {
  await suspendableChange(runtime, (tx) => {
    const imported = findImport(tx.sql, id)!
    const tally = new ImportTally(imported.report)
    requireAdvance(tx.sql, id, from, progress)
    write(tx, { imported, sourceId: imported.sourceId!, tally })
    insertProblems(tx.sql, id, imported.report.problemsListed, tally.listed)
    writeReport(tx.sql, id, tally.report)
  })
  return progress
}
