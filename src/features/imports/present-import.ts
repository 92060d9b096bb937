import type { ImportProgress } from '../../store/imports/import-progress.ts'
import { type Counts, numberOf } from '../../store/imports/import-report.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import type { ImportUpload } from '../../store/imports/import-upload-rows.ts'
import { estimateImport } from './estimate-import.ts'

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
export function presentImport(imported: RealmImport, now: number) {
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
    parts_read: progress?.stage === 'read' ? progress.unit : null,
    parts: progress?.stage === 'read' ? progress.units : null,
    earlier_import_id:
      progress?.stage === 'wait' && imported.sourceId !== imported.id ? imported.sourceId : null,
    ...presentSpeed(imported, now),
    mapping: progress?.stage === 'wait' ? mapping : null,
    estimate: progress?.stage === 'wait' ? estimateImport(report) : null,
    report: {
      records: presentCounts(report.records),
      found: presentCounts(report.found),
      passed_over: presentCounts(report.passedOver),
      problems: presentCounts(report.problems),
      written: presentCounts(report.written),
    },
  }
}

/** Returns the archive for owners. Source: docs/interface/administration.md#imports. */
export function presentImportUpload({
  id,
  ownerId,
  name,
  length,
  received,
  partSize,
  expiresAt,
}: ImportUpload) {
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

/** Seconds after which it is known how fast an import is. */
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
