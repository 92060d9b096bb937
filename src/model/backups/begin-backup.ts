import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import { newestLogTime } from '../../events/log.ts'
import {
  deleteOldBackups,
  FIRST_STAGE,
  findUnfinishedBackup,
  insertBackup,
  newestMomentOfBackups,
} from '../../store/backups/backup-rows.ts'
import { deleteOldReadings } from '../../store/backups/reading-rows.ts'
import { findRestoreUnderWay } from '../../store/backups/restoration-rows.ts'

/** Hour of the night (UTC) from which on backups begin, and seconds over which those of a deployment's organizations are spread. */
const NIGHT = { from: 2 * HOUR, spread: 2 * HOUR } as const

/** Returns when the organization's next night's backup is due: always at the same time (UNIX seconds). */
function nextNight({ now, realm }: Pick<RealmTransaction, 'now' | 'realm'>): number {
  const ofDay = NIGHT.from + ((realm.id * 617) % NIGHT.spread)
  const today = Math.floor(now / DAY) * DAY + ofDay
  return today > now ? today : today + DAY
}

/** Schedules the next night's backup if anything has happened since the last one: the daily look goes on for weeks after a message. */
export function expectBackup(tx: RealmTransaction): void {
  // Times in the log have no fraction; after a clock was set back they say nothing until it is as late again.
  const moment = Math.floor(newestMomentOfBackups(tx.sql))
  if (newestLogTime(tx.sql).at < moment && moment <= tx.now) return
  tx.schedule({ kind: 'begin-backup', key: '', dueAt: nextNight(tx) })
}

/** Begins a backup unless one is being made, or one is being restored: none is removed meanwhile. */
export function beginBackup(tx: RealmTransaction, _key = '', askedBy: number | null = null): undefined {
  if (findUnfinishedBackup(tx.sql) || findRestoreUnderWay(tx.sql)) return
  deleteOldReadings(tx.sql, tx.now - 30 * DAY)
  deleteOldBackups(tx.sql, { removed: tx.now - DAY, failed: tx.now - 30 * DAY })
  insertBackup(tx.sql, { askedBy, beganAt: tx.now, progress: FIRST_STAGE })
  tx.schedule({ kind: 'make-backup', key: '', dueAt: tx.now })
}
