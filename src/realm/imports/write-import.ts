import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { TimeLimit } from '../../core/within-time.ts'
import type { NeutralRecord } from '../../imports/neutral.ts'
import { type ImportWork, noKnownThings } from '../../model/imports/import-work.ts'
import { MadeMessages } from '../../model/imports/made-messages.ts'
import { writeMessage } from '../../model/imports/write-message.ts'
import { listPieces } from '../../store/imports/import-piece-rows.ts'
import type { Placed } from '../../store/imports/import-report.ts'
import type {
  ImportProgress,
  RealmImport,
  WritingMessagesProgress,
  WritingThingsProgress,
} from '../../store/imports/import-rows.ts'
import { noteImportedIds } from '../../store/messages/message-time-rows.ts'
import type { Runtime } from '../runtime.ts'
import { mergedRunsOf } from './merge-runs.ts'
import { readRange } from './stored-archive.ts'
import { FIRST_AFTER_MESSAGES, THINGS_IN_ORDER } from './things-in-order.ts'
import { writeStep } from './write-step.ts'

/** Messages of one commit, and the characters of their texts: to render and write as many takes some 30 ms. */
const MESSAGES_AT_ONCE = { messages: 200, length: 20_000 }

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
      const next = lines.slice(progress.line, progress.line + atOnce) as JsonText<Placed<NeutralRecord>>[]
      const after = { ...progress, line: progress.line + next.length }
      progress = await writeStep(runtime, imported, progress, after, (tx, work) => {
        for (const record of next.map((line) => fromJson(line))) {
          work.tally.isAt(record)
          write(tx, work, record)
        }
      })
      await runtime.pause()
      if (time.isOver) return progress
    }
    progress = await writeStep(
      runtime,
      imported,
      progress,
      { ...progress, piece: progress.piece + 1, line: 0 },
      () => {},
    )
  }
  const step = progress.step + 1
  if (step === THINGS_IN_ORDER.length) {
    return writeStep(runtime, imported, progress, { stage: 'tidy', outcome: 'finished' }, () => {})
  }
  const next: ImportProgress =
    step === FIRST_AFTER_MESSAGES
      ? { stage: 'files', piece: 0, line: 0 }
      : { stage: 'things', step, piece: 0, line: 0 }
  return writeStep(runtime, imported, progress, next, () => {})
}

/** Writes messages by time until the time is over. */
export async function writeMessages(
  runtime: Runtime,
  imported: RealmImport,
  from: WritingMessagesProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const runs = await mergedRunsOf(runtime, imported, from)
  const known = noKnownThings()
  let progress: WritingMessagesProgress = from
  do {
    const messages = await runs.next(MESSAGES_AT_ONCE)
    if (messages.length === 0) {
      const next = { stage: 'things', step: FIRST_AFTER_MESSAGES, piece: 0, line: 0 } as const
      return writeStep(runtime, imported, progress, next, () => {})
    }
    const after = {
      ...progress,
      offsets: runs.offsets,
      messages: progress.messages + messages.length,
      mark: progress.mark ?? { at: runtime.now(), messages: progress.messages },
    }
    const write = (tx: RealmTransaction, work: ImportWork) => {
      const made = new MadeMessages(
        tx,
        imported,
        messages.map(({ id }) => id),
      )
      for (const message of messages) {
        work.tally.isAt(message)
        writeMessage(tx, { ...work, messages: made }, message)
      }
      made.write()
      if (made.range) noteImportedIds(tx.sql, imported.id, ...made.range)
    }
    progress = await writeStep(runtime, imported, progress, after, write, known)
    await runtime.pause()
  } while (!time.isOver)
  return progress
}
