import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import { hasRoomForEmail } from '../../store/emails/email-rows.ts'
import { isAddressPaused } from '../../store/emails/paused-address-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { queueLetter } from './letter.ts'
import { textsFor } from './texts/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-token.ts'

/** The job that mails a newcomer how topics are used; its key is the account's id. */
export const GUIDE_NEWCOMER = 'guide-newcomer'

/** Days after joining, by the weekday of joining in UTC, from Monday on: never on a weekend. */
const DAYS_LATER = [2, 2, 2, 4, 4, 2, 2] as const
/** Weekday of the first day of UNIX time, a Thursday. */
const WEEKDAY_OF_FIRST_DAY = 3

/**
 * Schedules the guide for a user who has joined, and has got the welcome mail. Source:
 * docs/interface/notifications.md#mail-of-accounts.
 */
export function expectGuide(tx: RealmTransaction, user: User): void {
  const weekday = (Math.floor(tx.now / DAY) + WEEKDAY_OF_FIRST_DAY) % 7
  const dueAt = tx.now + DAYS_LATER[weekday]! * DAY - HOUR
  tx.schedule({ kind: GUIDE_NEWCOMER, key: String(user.id), dueAt })
}

/** Sends the mail, if the newcomer and the organization still want it. */
export function guideNewcomer(tx: RealmTransaction, userId: number): undefined {
  const user = findUser(tx.sql, userId)
  if (!getsMail(user) || !userSetting(user, 'enable_marketing_emails')) return undefined
  if (!realmProperty(tx.sql, 'send_welcome_emails') || isRealmDeactivated(tx.sql)) return undefined
  if (isAddressPaused(tx.sql, user) || !hasRoomForEmail(tx.sql)) return undefined
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  const { origin } = tx
  const unsubscribe = unsubscribeUrl(tx, origin, 'marketing', user.id)
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: texts.guide.subject,
    paragraphs: [texts.greeting(user.fullName), ...texts.guide.said(organization), `${origin}/`],
    footer: [[texts.guide.unsubscribe, unsubscribe]],
    headers: unsubscribeHeaders(unsubscribe),
  })
  return undefined
}
