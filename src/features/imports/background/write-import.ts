import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import type { NeutralRecord, RecordOf } from '../../../imports/neutral.ts'
import {
  authorFor,
  type ImportWork,
  isByOwner,
  type KnownThings,
  noKnownThings,
} from '../../../model/imports/import-work.ts'
import { MadeMessages } from '../../../model/imports/made-messages.ts'
import { updateChannel } from '../../../model/imports/update-channel.ts'
import { lacksFiles, textDigest } from '../../../model/imports/update-message.ts'
import { writeChannel, writeFolder } from '../../../model/imports/write-channel.ts'
import { writeEmoji } from '../../../model/imports/write-emoji.ts'
import { removeUnused } from '../../../model/imports/write-file.ts'
import { writeEndOfGroup, writeGroup, writeSubgroups } from '../../../model/imports/write-group.ts'
import { writeMessage } from '../../../model/imports/write-message.ts'
import { writePerson } from '../../../model/imports/write-person.ts'
import {
  writeAlertWord,
  writeMutedUser,
  writeNavigationView,
  writeReadState,
  writeSnippet,
  writeStars,
  writeStatus,
  writeUserSettings,
  writeUserTopic,
} from '../../../model/imports/write-personal.ts'
import { writePin } from '../../../model/imports/write-pin.ts'
import { completePerson, writeProfileField } from '../../../model/imports/write-profile.ts'
import {
  writeDefaultSetting,
  writeLinkifier,
  writeOrganization,
  writePlayground,
  writeRealmSettingOf,
} from '../../../model/imports/write-setting.ts'
import { writeDraft, writeReminder, writeScheduledMessage } from '../../../model/imports/write-unsent.ts'
import { writeDefaultChannelGroup, writeDomain } from '../../../model/imports/write-ways-in.ts'
import { insertProblems, listPieces, type ThingType } from '../../../store/imports/import-piece-rows.ts'
import { ImportTally, type Placed } from '../../../store/imports/import-report.ts'
import {
  findReport,
  ImportMovedError,
  type ImportProgress,
  type RealmImport,
  requireAdvance,
  type WritingMessagesProgress,
  type WritingThingsProgress,
  writeReport,
} from '../../../store/imports/import-rows.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { noteImportedIds } from '../../../store/messages/message-time-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'
import { mergedRunsOf } from './merge-runs.ts'
import { readRange } from './stored-archive.ts'

/** Messages of one commit, and the characters of their texts: rendering and writing them takes some 30 ms. */
const MESSAGES_AT_ONCE = { messages: 200, length: 20_000 }

/** Writes the things of one type until the time is over. */
export async function writeThings(
  runtime: JobRuntime,
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
        let isDone = true
        for (const record of next.map((line) => fromJson(line))) {
          work.tally.isAt(record)
          isDone = write(tx, work, record) !== false
        }
        return isDone
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
  runtime: JobRuntime,
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
      made.willReplace(replacedBy(tx, made, messages))
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

/** Returns the messages here whose texts may be replaced by those of the archive. */
function replacedBy(
  { sql }: Pick<RealmTransaction, 'sql'>,
  made: MadeMessages,
  messages: readonly RecordOf<'message'>[],
): IndexedMessage[] {
  const ids = messages.flatMap((message) => {
    const known = made.find(message.id)
    const isNew = known && (known.digest !== textDigest(message) || lacksFiles(made, message.id))
    return isNew ? [known.targetId] : []
  })
  return ids.length === 0
    ? []
    : findMessages(
        sql,
        [...new Set(ids)].sort((a, b) => a - b),
      )
}

/**
 * Makes one commit of an import: its records, counts and progress, which stays where it was if `write` returns false. `known`: a cache of things
 * that no commit changes meanwhile.
 */
export async function writeStep<From extends ImportProgress, Next extends ImportProgress>(
  runtime: JobRuntime,
  begun: RealmImport,
  from: From,
  progress: Next,
  write: (tx: RealmTransaction, work: ImportWork) => unknown,
  known?: KnownThings,
): Promise<From | Next> {
  const { id } = begun
  const isDone = await runtime.suspendableChange((tx) => {
    const imported = { ...begun, report: findReport(tx.sql, id) }
    const tally = new ImportTally(imported.report)
    requireAdvance(tx.sql, id, from, progress)
    if (!isByOwner(tx, begun)) throw new ImportMovedError()
    const owner = authorFor(tx, findUser(tx.sql, begun.actingUserId)!)
    const allowsWebPublic = runtime.allowsWebPublic()
    // A change that is run again starts without the things that it found before.
    const work = {
      imported,
      sourceId: imported.sourceId!,
      tally,
      allowsWebPublic,
      owner,
      own: new Map(),
      refusals: new Map(),
      known: known ?? noKnownThings(),
    }
    const isWhole = write(tx, work) !== false
    insertProblems(tx.sql, id, imported.report.problemsListed, tally.listed)
    writeReport(tx.sql, id, tally.report)
    if (!isWhole) requireAdvance(tx.sql, id, progress, from)
    return isWhole
  })
  return isDone ? progress : from
}

/** Small records of one commit. */
const RECORDS_AT_ONCE = 100
/** Fewer for larger ones: a person may have a picture and a profile, and a channel or group thousands of members. */
const PEOPLE_AT_ONCE = 50
const CHANNELS_AT_ONCE = 1
const GROUPS_AT_ONCE = 1

/** Writes a record. False: some of it is left to the next commit, which gets it again; only for types of which a commit writes one. */
type Write<Type extends ThingType> = (
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<Type>,
) => unknown

/** A step of the writing: the records of one type, some in each commit. */
export interface ThingsStep {
  readonly type: ThingType
  readonly atOnce: number
  readonly write: (tx: RealmTransaction, work: ImportWork, record: NeutralRecord) => unknown
}

function step<Type extends ThingType>(type: Type, write: Write<Type>, atOnce = RECORDS_AT_ONCE): ThingsStep {
  return { type, atOnce, write: (tx, work, record) => write(tx, work, record as RecordOf<Type>) }
}

/** Things in the order in which they are written, since each refers to those before it. */
const THINGS_IN_ORDER: readonly ThingsStep[] = [
  step('profile_field', writeProfileField),
  step('user', writePerson, PEOPLE_AT_ONCE),
  step('user', completePerson, PEOPLE_AT_ONCE),
  step('user_settings', writeUserSettings),
  step('organization', writeOrganization),
  step('emoji', writeEmoji),
  step('group', writeGroup, GROUPS_AT_ONCE),
  step('group', writeSubgroups, GROUPS_AT_ONCE),
  step('channel_folder', writeFolder),
  // Names that have become free are there for others.
  step('channel', updateChannel),
  step('channel', writeChannel, CHANNELS_AT_ONCE),
  step('group', writeEndOfGroup, GROUPS_AT_ONCE),
  step('linkifier', writeLinkifier),
  step('playground', writePlayground),
  step('domain', writeDomain),
  step('default_channel_group', writeDefaultChannelGroup),
  step('realm_setting', writeRealmSettingOf),
  step('default_setting', writeDefaultSetting),
  // These come after the messages.
  step('user_topic', writeUserTopic),
  step('pin', writePin),
  step('scheduled_message', writeScheduledMessage),
  step('draft', writeDraft),
  step('reminder', writeReminder),
  step('file', removeUnused),
  step('user', writeStatus),
  step('read_state', writeReadState, 1),
  step('muted_user', writeMutedUser),
  step('alert_word', writeAlertWord),
  step('saved_snippet', writeSnippet),
  step('navigation_view', writeNavigationView),
  step('starred_messages', writeStars, 1),
]

const FIRST_AFTER_MESSAGES = THINGS_IN_ORDER.findIndex(({ type }) => type === 'user_topic')
