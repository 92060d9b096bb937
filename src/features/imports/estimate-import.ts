import { type ImportReport, numberOf } from '../../store/imports/import-report.ts'

/** Rows written for a message, a reaction, and a person, a channel or another thing (test/features/imports/import-cost.large.test.ts). */
const ROWS = {
  object: { message: 4, reaction: 1, thing: 10 },
  d1: { message: 2, reaction: 0, thing: 1 },
} as const
/** Bytes of D1 that a message takes beside its text, and each character of it: with its HTML, and in the search index. */
const D1_BYTES = { message: 150, character: 4 } as const
/** Bytes of the object that a message takes. */
const OBJECT_BYTES = 250
/** Messages a second. */
const SPEED = 500
/** Dollars for a million rows written, beyond those that a plan includes, and for a GB and month of D1 and of files in R2. */
const PRICES = { rows: 1, d1Month: 0.75, filesMonth: 0.015 } as const
const MILLION = 1_000_000
const GB = 1e9

/** What an import will write and cost, by what was read (docs/import.md#what-it-costs). */
export function estimateImport({ records, found, characters, fileBytes }: ImportReport) {
  const messages = numberOf(records, 'message')
  const reactions = numberOf(found, 'reactions')
  const things = records.reduce((sum, [, count]) => sum + count, 0) - messages
  const rowsOf = ({ message, reaction, thing }: (typeof ROWS)['object' | 'd1']) =>
    messages * message + reactions * reaction + things * thing
  const [objectRows, d1Rows] = [rowsOf(ROWS.object), rowsOf(ROWS.d1)]
  const d1Bytes = messages * D1_BYTES.message + characters * D1_BYTES.character
  return {
    seconds: Math.ceil(messages / SPEED),
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
