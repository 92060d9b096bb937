import { NOTIFIED_AT } from '../../core/cost-cap.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { dayOf } from '../../core/time.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { listOwners } from '../../store/users/user-rows.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { sendNotice } from '../sending/send-notice.ts'

/** Owners who are notified, at most. */
const MAX_NOTIFIED = 20

/** Notifies owners, once a month each, that four fifths of the cost cap are used, and that all of it is. */
export function notifyOwnersOfCost(tx: RealmTransaction, used: number): void {
  const part = NOTIFIED_AT.find((part) => used >= part)
  if (part === undefined) return
  const [month, told] = (readMeta<string>(tx.sql, 'cost_told') ?? '').split(' ')
  const now = dayOf(tx.now).slice(0, 7)
  if (month === now && Number(told) >= part) return
  writeMeta(tx.sql, 'cost_told', `${now} ${part}`)
  for (const owner of listOwners(tx.sql).slice(0, MAX_NOTIFIED)) {
    const texts = personalNoticeTexts(owner)
    const content = part === 1 ? texts.costCapReached : texts.costCapNear
    sendNotice(tx, { to: { user: owner }, content, origin: tx.origin })
  }
}
