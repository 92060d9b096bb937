import { jsonText } from '../../core/json.ts'
import type { MetLimit } from '../../core/met-limit.ts'
import { isSameLimit } from '../../core/met-limit.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import { listOwners } from '../../store/users/user-rows.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { sendNotice } from '../sending/send-notice.ts'

/** Owners who are notified, at most. */
const MAX_NOTIFIED = 20

/** Notifies owners, once a day, that the platform has refused, since when and until when. */
export function notifyOwnersOfLimit(tx: RealmTransaction, met: MetLimit): void {
  const told = limitTold(tx.sql)
  if (told && isSameLimit(told, met)) return
  writeMeta(tx.sql, 'limit_told', jsonText(met))
  const isOfDay = met.code === 'DAILY_LIMIT_REACHED'
  const until = timeOf(isOfDay ? (Math.floor(met.since / DAY) + 1) * DAY : met.last)
  const facts = { since: timeOf(met.since), until, refused: String(met.refused) }
  for (const owner of listOwners(tx.sql).slice(0, MAX_NOTIFIED)) {
    const texts = personalNoticeTexts(owner)
    const content = isOfDay ? texts.dayUsedUp(facts) : texts.spendingUsedUp(facts)
    sendNotice(tx, { to: { user: owner }, content, origin: tx.origin })
  }
}

/** Returns the last limit of which owners were told. */
export function limitTold(sql: Sql): MetLimit | undefined {
  return readMetaJson<MetLimit>(sql, 'limit_told')
}

function timeOf(at: number): string {
  return `<time:${new Date(Math.floor(at) * 1_000).toISOString().replace('.000Z', '+00:00')}>`
}
