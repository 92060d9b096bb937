import { fromJson, type JsonText } from '../core/json.ts'
import { log } from '../core/log.ts'
import type { CountedSql } from '../engine/counted-sql.ts'
import { bodyDatabaseName } from '../store/d1/body-databases.ts'
import { insertProjection, newestBodyId } from '../store/d1/projection.ts'
import { insertRealmAgain } from '../store/d1/realms.ts'
import { newestMessageId } from '../store/messages/message-rows.ts'
import { deleteMeta, readMeta, writeMeta } from '../store/meta-rows.ts'
import { realmProperty } from '../store/realm/realm-setting-rows.ts'
import { scheduleJob } from './jobs/job-alarm.ts'
import type { BodyDatabase } from './projection/body-tails.ts'
import type { RestoreFinding } from './projection/d1-standing.ts'
import type { ProjectorParts } from './projection/projector.ts'
import { beginTextEpoch } from './projection/text-epoch.ts'
import type { Runtime } from './runtime.ts'

type Parts = Pick<Runtime, 'sql' | 'realm' | 'ids' | 'alarm' | 'housekeeping' | 'memory' | 'now'> &
  Omit<BodyDatabase, 'projector'>

/** Returns what is done when D1, or the object, was restored from a backup. */
export function restorations(parts: Parts): Pick<ProjectorParts, 'insertAgain' | 'onBehind' | 'onAhead'> {
  const { sql, number, db, realm, ids, tail, housekeeping, cursor } = parts

  function note(finding: Omit<RestoreFinding, 'noticedAt' | 'database'>): void {
    const where = number === 0 ? {} : { database: bodyDatabaseName(number) }
    const known: RestoreFinding = { ...finding, ...where, noticedAt: Math.floor(parts.now()) }
    writeMeta(sql, 'd1_restored', JSON.stringify(known))
    log('error', 'D1 and the object disagree: one of the two was restored', {
      realm_id: realm.id,
      ...known,
    })
  }

  // The log may not reach back far enough; and D1 may have accounts that are not there any more.
  function compareAgain(): void {
    if (number !== 0) return
    deleteMeta(sql, 'accounts_compared')
    scheduleJob(parts, { kind: 'compare-accounts', key: '', dueAt: parts.now() })
  }

  return {
    insertAgain: () =>
      number === 0
        ? insertRealmAgain(db, { ...realm, name: realmProperty(sql, 'name') })
        : insertProjection(db, realm.id),

    onBehind(d1Cursor, known) {
      const trimmed = readMeta<number>(sql, 'trimmed') ?? 0
      note({ kind: 'behind', d1Cursor, knownCursor: known, lostUpTo: trimmed > d1Cursor ? trimmed : null })
      // The rest of the log is sent again, so it must not be overwritten meanwhile.
      housekeeping.keepAfter(sql, d1Cursor)
      cursor.save({ projected: d1Cursor, applied: d1Cursor })
      tail.restart(d1Cursor)
      compareAgain()
    },

    async onAhead(d1Cursor, known) {
      const newestBody = await newestBodyId(db, realm.id)
      note({ kind: 'ahead', d1Cursor, knownCursor: known ?? null, lostUpTo: null })
      // Edits get versions that other texts had in the lost time, and copies of D1 may have those texts.
      beginTextEpoch(parts)
      // New events and messages must not get an id that was used after the restored state.
      ids.raiseTo(sql, d1Cursor)
      if (newestBody > newestMessageId(sql)) writeMeta(sql, 'message_id_floor', newestBody)
      compareAgain()
    },
  }
}

/** Returns the last finding that D1 or the object was restored. */
export function readRestoreFinding(sql: CountedSql): RestoreFinding | undefined {
  const text = readMeta<JsonText<RestoreFinding> | ''>(sql, 'd1_restored')
  return text === undefined || text === '' ? undefined : fromJson(text)
}
