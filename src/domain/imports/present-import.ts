import type { ImportProgress } from './import-progress.ts'
import type { Counts } from './import-report.ts'
import type { RealmImport } from './import-rows.ts'
import type { ImportUpload } from './import-upload-rows.ts'

const STATE_OF_STAGE = {
  unpack: 'reading',
  recognise: 'reading',
  read: 'reading',
  wait: 'waiting',
  things: 'writing',
  files: 'writing',
  messages: 'writing',
  tidy: 'ending',
} as const satisfies Record<ImportProgress['stage'], string>

function presentCounts(counts: Counts) {
  return counts.map(([name, count]) => ({ name, count }))
}

/** Returns an import for owners. Source: docs/interface/administration.md#imports. */
export function presentImport(imported: RealmImport) {
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
    parts_read: progress?.stage === 'read' ? progress.unit : null,
    parts: progress?.stage === 'read' ? progress.units : null,
    messages_written: progress?.stage === 'messages' ? progress.messages : null,
    private_channels: mapping.private_channels,
    direct_messages: mapping.direct_messages,
    users: mapping.users,
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
