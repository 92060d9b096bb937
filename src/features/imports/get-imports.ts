import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { isEmojiHere } from '../../model/imports/write-emoji.ts'
import { listProblems } from '../../store/imports/import-piece-rows.ts'
import {
  type Counts,
  type ImportProblem,
  type ImportReport,
  numberOf,
} from '../../store/imports/import-report.ts'
import {
  findImport,
  type ImportProgress,
  listNewestImports,
  type RealmImport,
} from '../../store/imports/import-rows.ts'
import { findPresentImportUpload, type ImportUpload } from '../../store/imports/import-upload-rows.ts'

const IMPORTS_SHOWN = 20

const counts = v.array(v.object({ name: v.string(), count: v.number() }))

/** An import as owners see it. */
const importSchema = v.object({
  id: v.number(),
  acting_user_id: v.number(),
  name: v.string(),
  size: v.number(),
  format: v.nullable(v.string()),
  source: v.nullable(v.string()),
  started_at: v.number(),
  ended_at: v.nullable(v.number()),
  state: v.picklist([
    'reading',
    'waiting',
    'writing',
    'ending',
    'finished',
    'cancelled',
    'failed',
    'checking',
    'undoing',
    'undone',
  ]),
  is_paused: v.boolean(),
  failure: v.nullable(v.string()),
  undo_refusal: v.nullable(v.string()),
  parts_read: v.nullable(v.number()),
  parts: v.nullable(v.number()),
  earlier_import_id: v.nullable(v.number()),
  is_older: v.boolean(),
  messages_written: v.nullable(v.number()),
  messages_total: v.nullable(v.number()),
  messages_per_second: v.nullable(v.number()),
  seconds_left: v.nullable(v.number()),
  mapping: v.nullable(
    v.object({
      users: v.record(v.string(), v.number()),
      channels: v.record(v.string(), v.number()),
      profile_fields: v.record(v.string(), v.string()),
      topic: v.string(),
      private_channels: v.boolean(),
      direct_messages: v.boolean(),
      settings: v.boolean(),
    }),
  ),
  estimate: v.nullable(
    v.object({
      seconds: v.number(),
      object_rows: v.number(),
      d1_rows: v.number(),
      object_bytes: v.number(),
      d1_bytes: v.number(),
      file_bytes: v.number(),
      dollars_once: v.number(),
      dollars_a_month: v.number(),
    }),
  ),
  report: v.object({
    records: counts,
    found: counts,
    passed_over: counts,
    problems: counts,
    written: counts,
    missing_emoji: counts,
  }),
})

const importUploadSchema = v.object({
  id: v.string(),
  user_id: v.number(),
  name: v.string(),
  size: v.number(),
  received: v.number(),
  part_size: v.number(),
  expires_at: v.number(),
})

/** Lists the latest imports, the newest first. Source: docs/interface/administration.md#imports. */
export const getImportsEndpoint = defineEndpoint({
  operation: 'get-imports',
  route: 'GET /imports',
  access: 'owner',
  params: {},
  returns: v.object({ imports: v.array(importSchema), upload: v.nullable(importUploadSchema) }),
  apply(tx): ShownImports {
    const upload = findPresentImportUpload(tx.sql, tx.now)
    return {
      imports: listNewestImports(tx.sql, IMPORTS_SHOWN).map((imported) => presentImport(tx, imported)),
      upload: upload ? presentImportUpload(upload) : null,
    }
  },
})

interface ShownImports {
  readonly imports: ReturnType<typeof presentImport>[]
  readonly upload: ReturnType<typeof presentImportUpload> | null
}

/** Lists the problems of an import, with their places. Source: docs/interface/administration.md#imports. */
export const getImportProblemsEndpoint = defineEndpoint({
  operation: 'get-import-problems',
  route: 'GET /imports/:import_id/problems',
  access: 'owner',
  params: { import_id: pathInteger },
  returns: v.object({
    problems: v.array(
      v.object({
        kind: v.string(),
        detail: v.string(),
        file: v.nullable(v.string()),
        line: v.nullable(v.number()),
      }),
    ),
  }),
  apply(tx, _owner, { import_id }): { readonly problems: ImportProblem[] } {
    if (!findImport(tx.sql, import_id)) throw new BadRequestError('Invalid import ID')
    return { problems: listProblems(tx.sql, import_id) }
  },
})

const STATE_OF_STAGE = {
  unpack: 'reading',
  recognise: 'reading',
  read: 'reading',
  wait: 'waiting',
  things: 'writing',
  files: 'writing',
  messages: 'writing',
  tidy: 'ending',
  check: 'checking',
  undo: 'undoing',
} as const satisfies Record<ImportProgress['stage'], string>

function presentCounts(counts: Counts) {
  return counts.map(([name, count]) => ({ name, count }))
}

/** Returns an import for owners. Source: docs/interface/administration.md#imports. */
function presentImport({ sql, now }: RealmView, imported: RealmImport) {
  const { progress, report, mapping, outcome } = imported
  return {
    id: imported.id,
    acting_user_id: imported.actingUserId,
    name: imported.name,
    size: imported.size,
    format: imported.format,
    source: imported.source,
    started_at: imported.startedAt,
    ended_at: imported.endedAt,
    state: progress ? STATE_OF_STAGE[progress.stage] : (outcome ?? 'ending'),
    is_paused: imported.isPaused,
    failure: imported.failure,
    undo_refusal: imported.undoRefusal,
    ...presentReading(progress),
    earlier_import_id:
      progress?.stage === 'wait' && imported.sourceId !== imported.id ? imported.sourceId : null,
    is_older: imported.sourceId !== imported.id && report.isOlder === true,
    ...presentSpeed(imported, now),
    mapping: progress?.stage === 'wait' ? mapping : null,
    estimate: progress?.stage === 'wait' ? estimateImport(report) : null,
    report: {
      records: presentCounts(report.records),
      found: presentCounts(report.found),
      passed_over: presentCounts(report.passedOver),
      problems: presentCounts(report.problems),
      written: presentCounts(report.written),
      // What an owner has uploaded since is there.
      missing_emoji: presentCounts((report.missingEmoji ?? []).filter(([name]) => !isEmojiHere(sql, name))),
    },
  }
}

/** Parts are told once their number is final: until then the lists of the archive's files may add some. */
function presentReading(progress: ImportProgress | null) {
  if (progress?.stage !== 'read' || progress.total === undefined) return { parts_read: null, parts: null }
  return { parts_read: Math.min(progress.unit, progress.total), parts: progress.total }
}

/** Returns the archive for owners. Source: docs/interface/administration.md#imports. */
function presentImportUpload({ id, ownerId, name, length, received, partSize, expiresAt }: ImportUpload) {
  return {
    id,
    user_id: ownerId,
    name,
    size: length,
    received,
    part_size: partSize,
    expires_at: expiresAt,
  }
}

/** Seconds after which the speed of an import is known. */
const MEASURED_SECONDS = 3

function presentSpeed({ progress, report, isPaused }: RealmImport, now: number) {
  if (progress?.stage !== 'messages') {
    return { messages_written: null, messages_total: null, messages_per_second: null, seconds_left: null }
  }
  const { messages, mark } = progress
  const total = numberOf(report.records, 'message')
  const elapsed = mark && !isPaused ? now - mark.at : 0
  const speed = elapsed > MEASURED_SECONDS ? (messages - mark!.messages) / elapsed : 0
  return {
    messages_written: messages,
    messages_total: total,
    messages_per_second: speed > 0 ? Math.round(speed) : null,
    seconds_left: speed > 0 ? Math.ceil(Math.max(total - messages, 0) / speed) : null,
  }
}

/** Rows written for a message, for a reaction, and for a person, channel or other thing (test/features/imports/import-cost.large.test.ts). */
const ROWS = {
  object: { message: 4, reaction: 1, thing: 10 },
  d1: { message: 2, reaction: 0, thing: 1 },
} as const
/** Bytes of D1 for a message besides its text, and for each character of its text, with the HTML and the search index. */
const D1_BYTES = { message: 150, character: 4 } as const
/** Bytes of the object that a message takes. */
const OBJECT_BYTES = 250
/** Messages, files and bytes of files a second: a few files are copied at a time, and each is put into R2. */
const SPEED = { messages: 500, files: 20, fileBytes: 20_000_000 } as const
/** Dollars for a million rows written beyond those of a plan, and for a GB of D1 and of R2 a month. */
const PRICES = { rows: 1, d1Month: 0.75, filesMonth: 0.015 } as const
const MILLION = 1_000_000
const GB = 1e9

/** Estimates what an import will write and cost (docs/import.md#what-it-costs). */
function estimateImport({ records, found, characters, fileBytes }: ImportReport) {
  const messages = numberOf(records, 'message')
  const reactions = numberOf(found, 'reactions')
  const files = numberOf(records, 'file')
  const things = records.reduce((sum, [, count]) => sum + count, 0) - messages
  const rowsOf = ({ message, reaction, thing }: (typeof ROWS)['object' | 'd1']) =>
    messages * message + reactions * reaction + things * thing
  const [objectRows, d1Rows] = [rowsOf(ROWS.object), rowsOf(ROWS.d1)]
  const d1Bytes = messages * D1_BYTES.message + characters * D1_BYTES.character
  return {
    seconds: Math.ceil(messages / SPEED.messages + files / SPEED.files + fileBytes / SPEED.fileBytes),
    object_rows: objectRows,
    d1_rows: d1Rows,
    object_bytes: messages * OBJECT_BYTES,
    d1_bytes: d1Bytes,
    file_bytes: fileBytes,
    dollars_once: rounded(((objectRows + d1Rows) / MILLION) * PRICES.rows),
    dollars_a_month: rounded((d1Bytes / GB) * PRICES.d1Month + (fileBytes / GB) * PRICES.filesMonth),
  }
}

function rounded(dollars: number): number {
  return Math.ceil(dollars * 100) / 100
}
