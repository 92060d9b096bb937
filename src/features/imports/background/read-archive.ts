import { PAUSES } from '../../../core/budgets.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import { nameKey } from '../../../core/names.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { WritableSql } from '../../../core/sql.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { type ImportContext, ImportRefusedError, type ImportUnit } from '../../../imports/import-reader.ts'
import { lookForReader, readerNamed } from '../../../imports/index.ts'
import { type NeutralRecord, type RecordOf, takeRecord } from '../../../imports/neutral.ts'
import { MAX_FILES } from '../../../imports/survey.ts'
import { channelNameFor } from '../../../model/imports/fit-text.ts'
import { missingEmoji, noteEmoji } from '../../../model/imports/write-emoji.ts'
import { accountToJoin } from '../../../model/imports/write-person.ts'
import { findChannelByName } from '../../../store/channels/channel-rows.ts'
import {
  type ChoiceType,
  choicesLeft,
  hasNamesake,
  hasUserNamed,
  type ImportChoice,
  insertChoice,
  sharesAddress,
} from '../../../store/imports/import-choice-rows.ts'
import { insertPieces, insertProblems, listPieces } from '../../../store/imports/import-piece-rows.ts'
import { type ImportReport, ImportTally, type PlaceOfRecord } from '../../../store/imports/import-report.ts'
import {
  findImport,
  findSource,
  type ImportProgress,
  nameFormat,
  nameSource,
  newestMadeAt,
  type ReadingProgress,
  type RealmImport,
  type RecognisingProgress,
  writeMapping,
  writeReport,
} from '../../../store/imports/import-rows.ts'
import { PieceWriter } from './piece-writer.ts'
import { ReaderNotes } from './reader-notes.ts'
import { archiveOf, completeArchive, readAhead, readRange } from './stored-archive.ts'
import { commitProgress, isPacked } from './unpack-archive.ts'

/** Units of an archive: one or two for each file, and more for large ones. */
const MAX_UNITS = 3 * MAX_FILES
const TOO_MANY_UNITS = `The archive has more than ${MAX_UNITS} parts. Divide the export.`
const UNITS_IN_PIECE = 1_000
/** People, channels and profile fields of one commit. */
const CHOICES_AT_ONCE = 500
/** Records and notes between two pauses. */
const RECORDS_AT_ONCE = 400

/** Finds the format of an archive, and divides it into units. */
export async function recogniseArchive(
  runtime: JobRuntime,
  imported: RealmImport,
  from: RecognisingProgress,
): Promise<ImportProgress> {
  await completeArchive(runtime, imported)
  const archive = readAhead(archiveOf(runtime, imported))
  if (await isPacked(archive)) {
    if (imported.unpackedSize !== null)
      throw new ImportRefusedError('The archive is packed twice. Unpack it once with "gunzip".')
    const unpack = { stage: 'unpack', parts: 0, bytes: 0, read: 0, readings: 0 } as const
    return commitProgress(runtime, imported, from, unpack, () => {})
  }
  const reader = await lookForReader(archive, from.search)
  if (reader && 'reader' in reader)
    return commitProgress(runtime, imported, from, { stage: 'recognise', search: reader }, () => {})
  if (!reader) {
    throw new ImportRefusedError(
      'The format of this file is unknown. The documentation of imports lists those that can be read',
    )
  }
  const writer = new PieceWriter(runtime, imported)
  let units = 0
  let adding = 0
  let block: string[] = []
  for await (const unit of reader.units(archive)) {
    if (units === MAX_UNITS) throw new ImportRefusedError(TOO_MANY_UNITS)
    units += 1
    if (reader.adds(unit)) adding += 1
    block.push(JSON.stringify(unit))
    if (block.length < UNITS_IN_PIECE) continue
    await writer.put('units', block, null)
    block = []
  }
  await writer.put('units', block, null)
  const pieces = writer.piecesAfter(0)
  const progress: ReadingProgress = {
    ...{ stage: 'read', unit: 0, units, adding, pieces: pieces.length, state: {} },
    ...(adding === 0 && { total: units }),
  }
  return commitProgress(runtime, imported, from, progress, () => {
    insertPieces(runtime.sql, imported.id, pieces)
    nameFormat(runtime.sql, imported.id, reader.name)
  })
}

/** Reads units until the time is over, or one commit has enough. Nothing of the organization is changed. */
export async function readArchive(
  runtime: JobRuntime,
  imported: RealmImport,
  from: ReadingProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const { sql } = runtime
  const archive = readAhead(archiveOf(runtime, imported))
  const reader = readerNamed(imported.format!)
  const writer = new PieceWriter(runtime, imported)
  const tally = new ImportTally(imported.report)
  const notes = new ReaderNotes(runtime, imported, from.unit)
  let counted = 0
  /** Counts a record or a note, and pauses now and then for others. */
  const pace = async () => {
    counted += 1
    if (counted % RECORDS_AT_ONCE === 0) await runtime.pause(PAUSES.commit)
  }
  const added: string[] = []
  let { adding } = from
  /** Counts units that are left and may add others. */
  const countAdding = (unit: ImportUnit, by: 1 | -1) => {
    if (adding !== undefined && reader.adds(unit)) adding += by
  }
  const context: ImportContext = {
    state: { ...from.state },
    store: {
      get: async (key) => {
        await pace()
        return notes.get(key)
      },
      put: async (key, value) => {
        await pace()
        notes.put(key, value)
      },
    },
    add: (unit) => {
      if (from.units + added.length === MAX_UNITS) throw new ImportRefusedError(TOO_MANY_UNITS)
      added.push(JSON.stringify(unit))
      countAdding(unit, 1)
    },
  }
  const taker = new RecordTaker(runtime, imported, tally)
  const list = new UnitList(runtime, imported)
  let { unit } = from
  while (unit < from.units) {
    notes.begin(unit)
    const reading = await list.at(unit)
    for await (const value of reader.read(archive, reading, context)) {
      const { line } = context.state
      const place = { file: reading.name, line: typeof line === 'number' && line > 0 ? line : undefined }
      const record = taker.take(value, place)
      if (record) writer.add(record, place)
      if (writer.isFull) await writer.flush()
      await pace()
    }
    unit += 1
    countAdding(reading, -1)
    if (time.isOver || writer.isFull || notes.isFull || taker.isFull || added.length > 0) break
  }
  await writer.flush()
  for (const some of inParts(added, UNITS_IN_PIECE)) await writer.put('units', some, null)
  const units = from.units + added.length
  const pieces = writer.piecesAfter(from.pieces)
  const isDone = unit === units
  if (isDone && !taker.source) {
    throw new ImportRefusedError(
      'The file has no record that names its source. The documentation of imports describes it',
    )
  }
  const progress: ImportProgress = isDone
    ? { stage: 'wait' }
    : {
        ...{ ...from, unit, units, pieces: from.pieces + pieces.length, state: context.state },
        ...(adding !== undefined && { adding, ...(adding === 0 && { total: from.total ?? units }) }),
      }
  return commitProgress(runtime, imported, from, progress, () => {
    insertPieces(sql, imported.id, pieces)
    notes.flush()
    noteChoices(runtime, imported, taker.choices, tally)
    for (const emoji of taker.emoji) noteEmoji(sql, imported.id, emoji)
    insertProblems(sql, imported.id, imported.report.problemsListed, tally.listed)
    if (taker.source && !imported.source) nameIt(sql, imported, taker.source, taker.mainTopic)
    writeReport(sql, imported.id, isDone ? withOrder(sql, imported.id, tally.report) : tally.report)
  })
}

/** Joins an import to the last one of the same source, which an owner has to confirm. */
function nameIt(
  sql: WritableSql,
  { id, mapping }: RealmImport,
  source: string,
  mainTopic: string | undefined,
): void {
  const earlier = findSource(sql, source, id)
  nameSource(sql, id, source, earlier?.sourceId ?? id)
  if (earlier) {
    // A second import must not bring what the first one has left out, unless an owner decides so.
    const { topic, private_channels, direct_messages } = earlier.mapping
    writeMapping(sql, id, { ...mapping, topic, private_channels, direct_messages })
  } else if (mainTopic !== undefined) writeMapping(sql, id, { ...mapping, topic: mainTopic })
}

/** Adds to a report whether an archive of the same source that was made later was imported before. */
function withOrder(sql: WritableSql, id: number, report: ImportReport): ImportReport {
  const { sourceId } = findImport(sql, id)!
  const newest = sourceId === null ? undefined : newestMadeAt(sql, sourceId, id)
  return typeof newest === 'number' && (report.madeAt ?? newest) < newest
    ? { ...report, isOlder: true }
    : report
}

/** The units of an archive; those of one piece are in memory. */
class UnitList {
  readonly #runtime: JobRuntime
  readonly #importId: number
  #from = 0
  #lines: readonly string[] = []

  constructor(runtime: JobRuntime, { id }: RealmImport) {
    this.#runtime = runtime
    this.#importId = id
  }

  async at(number: number): Promise<ImportUnit> {
    if (number < this.#from || number >= this.#from + this.#lines.length) await this.#load(number)
    return fromJson(this.#lines[number - this.#from] as JsonText<ImportUnit>)
  }

  async #load(number: number): Promise<void> {
    let before = 0
    for (const piece of listPieces(this.#runtime.sql, this.#importId, 'units')) {
      if (number < before + piece.records) {
        const text = new TextDecoder().decode(await readRange(this.#runtime, piece.key, 0, piece.size))
        this.#lines = text.split('\n').slice(0, -1)
        this.#from = before
        return
      }
      before += piece.records
    }
    throw new Error(`Import ${this.#importId} has no unit ${number}`)
  }
}

/** Takes the records of an import, and counts them. */
class RecordTaker {
  readonly #runtime: Pick<JobRuntime, 'sql' | 'now'>
  readonly #imported: RealmImport
  readonly #tally: ImportTally
  source: string | null
  /** The topic of messages that have none. */
  mainTopic: string | undefined
  readonly choices: ImportChoice[] = []
  /** Custom emoji that this commit has read. */
  readonly emoji: RecordOf<'emoji'>[] = []

  constructor(runtime: Pick<JobRuntime, 'sql' | 'now'>, imported: RealmImport, tally: ImportTally) {
    this.#runtime = runtime
    this.#imported = imported
    this.#tally = tally
    this.source = imported.source
  }

  /** Whether enough choices for a commit are gathered. */
  get isFull(): boolean {
    return this.choices.length >= CHOICES_AT_ONCE
  }

  /** Returns the record if it has to be written. */
  take(value: unknown, place: PlaceOfRecord): NeutralRecord | undefined {
    const tally = this.#tally
    const taken = takeRecord(value)
    if ('problem' in taken) {
      tally.problem(taken.problem, taken.detail, place)
      return undefined
    }
    const { record, passedOver } = taken
    for (const field of passedOver) tally.count('passedOver', field)
    if (record.type === 'problem') {
      tally.problem(record.kind, record.detail ?? '', {
        file: record.file ?? place.file,
        line: record.line ?? record.entry ?? place.line,
      })
      return undefined
    }
    tally.count('records', record.type)
    if (record.type === 'parley-import') {
      this.source ??= record.source
      if (record.made_at_ms !== undefined) this.#noteTime(record.made_at_ms)
      this.mainTopic ??= record.topic
      return undefined
    }
    this.#note(record)
    return record
  }

  #note(record: NeutralRecord): void {
    const { sql } = this.#runtime
    const tally = this.#tally
    const found = (name: string) => tally.count('found', name)
    if (record.type === 'user') {
      if (record.is_bot) found('bots')
      else if (!record.email) found('people without an address')
      else {
        const account = accountToJoin(this.#runtime, this.#imported, record.email, record.is_bot)
        found(account ? 'people who have accounts' : 'people with an address')
      }
      if (record.role === 'owner' || record.role === 'administrator') found(`${record.role}s`)
      this.#choose(record, record.full_name, record.is_bot ? 'bot' : (record.role ?? 'member'), record.email)
    } else if (record.type === 'channel') {
      found(record.privacy === 'private' ? 'private channels' : 'public channels')
      if (findChannelByName(sql, channelNameFor(record.name))) found('channels whose name is taken')
      this.#choose(record, record.name, record.privacy ?? 'public')
    } else if (record.type === 'profile_field') {
      if (record.name.trim() === '' || record.name === record.id) found('profile fields without a name')
      this.#choose(record, record.name, record.kind ?? 'short')
    } else if (record.type === 'file') {
      found(record.url === undefined ? 'files of the archive' : 'files to be loaded from elsewhere')
      tally.noteFile(record.size ?? Math.floor(((record.data?.length ?? 0) * 3) / 4))
    } else if (record.type === 'emoji') this.emoji.push(record)
    else if (record.type === 'message') {
      tally.noteMessage(record.time_ms, record.content.length)
      this.#noteTime(Math.max(record.time_ms, record.edited_ms ?? 0))
      tally.count('found', 'reactions', record.reactions?.length ?? 0)
      for (const reaction of record.reactions ?? []) {
        const missing = missingEmoji(sql, this.#imported.id, reaction)
        if (missing !== undefined) tally.count('missingEmoji', missing)
      }
      found(record.channel === undefined ? 'direct messages' : 'messages of channels')
      if (record.channel !== undefined && record.topic === undefined) found('messages without a topic')
    }
  }

  /** A time to come says nothing about when the archive was made. */
  #noteTime(time: number): void {
    if (time <= this.#runtime.now() * 1_000) this.#tally.noteTime(time)
  }

  #choose(
    { type, id }: { readonly type: ChoiceType; readonly id: string },
    name: string,
    kind: string,
    email?: string | null,
  ): void {
    const nameHere = type === 'channel' ? channelNameFor(name) : name
    this.choices.push({ type, id, name, nameKey: nameKey(nameHere), email: email?.trim() || null, kind })
  }
}

/** Stores what an owner can decide about, and counts clashes. */
function noteChoices(
  { sql }: { readonly sql: WritableSql },
  imported: RealmImport,
  choices: readonly ImportChoice[],
  tally: ImportTally,
): void {
  if (choices.length === 0) return
  const { id: importId } = imported
  for (const choice of choices.slice(0, choicesLeft(sql, importId))) {
    insertChoice(sql, importId, choice)
    if (choice.type === 'channel' && hasNamesake(sql, importId, choice)) {
      tally.count('found', 'channels of the same name')
    }
    if (choice.type !== 'user') continue
    if (sharesAddress(sql, importId, choice)) tally.count('found', 'people who share an address')
    const isHere =
      choice.email !== null && accountToJoin({ sql }, imported, choice.email, choice.kind === 'bot')
    if (!isHere && hasUserNamed(sql, choice.name)) {
      tally.count('found', 'people whose name an account has')
    }
  }
}
