import { PAUSES } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { TimeLimit } from '../../core/time-limit.ts'
import { findChannelByName } from '../../domain/channels/channel-rows.ts'
import {
  findNote,
  insertPieces,
  insertProblems,
  listPieces,
  putNotes,
} from '../../domain/imports/import-piece-rows.ts'
import type { ImportProgress, ReadingProgress } from '../../domain/imports/import-progress.ts'
import { ImportTally } from '../../domain/imports/import-report.ts'
import {
  findSource,
  nameFormat,
  nameSource,
  type RealmImport,
  requireAdvance,
  writeReport,
} from '../../domain/imports/import-rows.ts'
import { findUserByEmail } from '../../domain/users/user-rows.ts'
import {
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
} from '../../imports/import-reader.ts'
import { findReaderOf, readerNamed } from '../../imports/index.ts'
import { type NeutralRecord, takeRecord } from '../../imports/neutral.ts'
import type { Runtime } from '../runtime.ts'
import { PieceWriter } from './piece-writer.ts'
import { archiveOf, completeArchive, readRange } from './stored-archive.ts'
import { isPacked } from './unpack-archive.ts'

/** Units of an archive, which are listed before any is read. */
const MAX_UNITS = 200_000
const UNITS_IN_PIECE = 1_000
/** Records between two pauses. */
const RECORDS_AT_ONCE = 200

/** Finds the format of the archive, and divides it into units. */
export async function recogniseArchive(
  runtime: Runtime,
  imported: RealmImport,
  from: ImportProgress,
): Promise<ImportProgress> {
  await completeArchive(runtime, imported)
  const archive = archiveOf(runtime, imported)
  if (await isPacked(archive)) {
    if (imported.unpackedSize !== null)
      throw new ImportRefusedError('The archive is packed twice. Unpack it once with "gunzip".')
    const unpack = { stage: 'unpack', parts: 0, bytes: 0, read: 0, readings: 0 } as const
    return commit(runtime, imported, from, unpack, () => {})
  }
  const reader = await findReaderOf(archive)
  if (!reader) {
    throw new ImportRefusedError(
      'Nobody here knows the format of this file (docs/import.md lists those that can be imported)',
    )
  }
  const writer = new PieceWriter(runtime, imported)
  let units = 0
  let block: string[] = []
  for await (const unit of reader.units(archive)) {
    if (units === MAX_UNITS) throw new ImportRefusedError(`The archive has more than ${MAX_UNITS} parts`)
    units += 1
    block.push(JSON.stringify(unit))
    if (block.length < UNITS_IN_PIECE) continue
    await writer.put('units', block, null)
    block = []
  }
  await writer.put('units', block, null)
  const pieces = writer.piecesAfter(0)
  const progress: ReadingProgress = { stage: 'read', unit: 0, units, pieces: pieces.length, state: {} }
  return commit(runtime, imported, from, progress, () => {
    insertPieces(runtime.sql, imported.id, pieces)
    nameFormat(runtime.sql, imported.id, reader.name)
  })
}

/** Reads units until the time is over, or as much is gathered as one commit has. Nothing of the organization is changed. */
export async function readArchive(
  runtime: Runtime,
  imported: RealmImport,
  from: ReadingProgress,
  time: TimeLimit,
): Promise<ImportProgress> {
  const { sql } = runtime
  const archive = archiveOf(runtime, imported)
  const reader = readerNamed(imported.format!)
  const writer = new PieceWriter(runtime, imported)
  const tally = new ImportTally(imported.report)
  const notes = new Map<string, string>()
  const context: ImportContext = {
    state: { ...from.state },
    store: {
      get: async (key) => notes.get(key) ?? findNote(sql, imported.id, key),
      put: async (key, value) => {
        notes.set(key, value)
      },
    },
  }
  const taker = new RecordTaker(runtime, imported, tally)
  let { unit } = from
  while (unit < from.units) {
    await readUnit(
      runtime,
      reader,
      archive,
      await unitAt(runtime, imported, unit),
      context,
      (value, place) => {
        const record = taker.take(value, place)
        if (record) writer.add(record, place)
        return writer.isFull
      },
      () => writer.flush(),
    )
    unit += 1
    if (time.isOver || writer.isFull || notes.size > UNITS_IN_PIECE) break
  }
  await writer.flush()
  const pieces = writer.piecesAfter(from.pieces)
  const isDone = unit === from.units
  if (isDone && !taker.source) {
    throw new ImportRefusedError(
      'The file has no record that names its source (docs/import.md, "The neutral form")',
    )
  }
  const progress: ImportProgress = isDone
    ? { stage: 'wait' }
    : { ...from, unit, pieces: from.pieces + pieces.length, state: context.state }
  return commit(runtime, imported, from, progress, () => {
    insertPieces(sql, imported.id, pieces)
    putNotes(sql, imported.id, notes)
    insertProblems(sql, imported.id, imported.report.problemsListed, tally.listed)
    writeReport(sql, imported.id, tally.report)
    if (taker.source && !imported.source) {
      nameSource(sql, imported.id, taker.source, findSource(sql, taker.source) ?? imported.id)
    }
  })
}

async function readUnit(
  { pause }: Pick<Runtime, 'pause'>,
  reader: ImportReader,
  archive: ReturnType<typeof archiveOf>,
  unit: ImportUnit,
  context: ImportContext,
  take: (value: unknown, place: Place) => boolean,
  flush: () => Promise<void>,
): Promise<void> {
  let count = 0
  for await (const value of reader.read(archive, unit, context)) {
    const { line } = context.state
    if (take(value, { file: unit.name, line: typeof line === 'number' ? line : undefined })) await flush()
    count += 1
    if (count % RECORDS_AT_ONCE === 0) await pause(PAUSES.commit)
  }
}

async function unitAt(runtime: Runtime, { id }: RealmImport, number: number): Promise<ImportUnit> {
  let before = 0
  for (const piece of listPieces(runtime.sql, id, 'units')) {
    if (number < before + piece.records) {
      const text = new TextDecoder().decode(await readRange(runtime, piece.key, 0, piece.size))
      return fromJson(text.split('\n')[number - before] as JsonText<ImportUnit>)
    }
    before += piece.records
  }
  throw new Error(`Import ${id} has no unit ${number}`)
}

interface Place {
  readonly file: string
  readonly line: number | undefined
}

/** Takes the records of an import, and counts them. */
class RecordTaker {
  readonly #runtime: Pick<Runtime, 'sql'>
  readonly #tally: ImportTally
  source: string | null

  constructor(runtime: Pick<Runtime, 'sql'>, { source }: RealmImport, tally: ImportTally) {
    this.#runtime = runtime
    this.#tally = tally
    this.source = source
  }

  /** Returns the record if it is to be written. */
  take(value: unknown, place: Place): NeutralRecord | undefined {
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
      if (!record.email) found('people without an address')
      else found(findUserByEmail(sql, record.email) ? 'people who have accounts' : 'people with an address')
      if (record.role === 'owner' || record.role === 'administrator') found(`${record.role}s`)
    } else if (record.type === 'channel') {
      found(record.privacy === 'private' ? 'private channels' : 'public channels')
      if (findChannelByName(sql, record.name)) found('channels whose name is taken')
    } else if (record.type === 'message') {
      tally.noteTime(record.time_ms)
      found(record.channel === undefined ? 'direct messages' : 'messages of channels')
    }
  }
}

function commit(
  { sql, storage }: Pick<Runtime, 'sql' | 'storage'>,
  { id }: RealmImport,
  from: ImportProgress,
  progress: ImportProgress,
  write: () => void,
): ImportProgress {
  storage.transactionSync(() => {
    requireAdvance(sql, id, from, progress)
    write()
  })
  return progress
}
