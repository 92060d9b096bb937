import type { Sql } from '../../core/sql.ts'
import { type Backup, listBackups } from '../../store/backups/backup-rows.ts'
import { type Restoration, readRestoration } from '../../store/backups/restoration-rows.ts'

/** The backups, the newest first, and the last restore. */
export function presentBackups(sql: Sql) {
  return { restore: presentRestore(readRestoration(sql)), backups: listBackups(sql).map(presentBackup) }
}

export function presentRestore(restoration: Restoration | undefined) {
  if (!restoration) return null
  return {
    backup_id: restoration.backupId,
    acting_user_id: restoration.askedBy,
    began_at: restoration.beganAt,
    stage: restoration.progress?.stage ?? null,
    ended_at: restoration.endedAt,
    outcome: restoration.outcome,
    archive_id: restoration.archiveId,
  }
}

export function presentBackup(backup: Backup) {
  return {
    id: backup.id,
    acting_user_id: backup.askedBy,
    began_at: backup.beganAt,
    taken_at: backup.takenAt,
    finished_at: backup.finishedAt,
    failed_at: backup.failedAt,
    kept_until: backup.keptUntil,
    stage: backup.failedAt === null ? (backup.progress?.stage ?? null) : null,
    size: backup.size,
    sent: backup.sent,
    digest: backup.digest,
    contents: backup.contents && {
      users: backup.contents.users,
      channels: backup.contents.channels,
      messages: backup.contents.messages,
      files: backup.contents.files,
      file_bytes: backup.contents.fileBytes,
    },
  }
}
