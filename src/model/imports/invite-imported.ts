import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { hasRoomForEmail, isAddressPaused } from '../../store/emails/email-rows.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { listImportedStubs, type User } from '../../store/users/user-rows.ts'
import { openConfirmation } from '../confirmations/confirmation.ts'
import { queueLetterTo } from '../emails/letter.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'

/** Mails that one run queues, and the room that it leaves for other mail. */
const MAILS_AT_ONCE = 25
const ROOM_FOR_OTHERS = 1_500
const BETWEEN_RUNS_SECONDS = MINUTE / 2

/** Begins with the first of them. Users who were mailed recently are skipped (docs/security.md#guessing). */
export function beginInvitingImported(tx: RealmTransaction): void {
  writeMeta(tx.sql, 'imported_invited_up_to', 0)
  tx.schedule({ kind: 'invite-imported', key: '', dueAt: tx.now })
}

/** Mails the next of them. Returns when to continue (UNIX seconds). */
export function inviteNextImported(tx: RealmTransaction): number | undefined {
  const above = readMeta<number>(tx.sql, 'imported_invited_up_to')
  if (above === undefined || isRealmDeactivated(tx.sql)) return undefined
  const people = listImportedStubs(tx.sql, above, MAILS_AT_ONCE)
  let last = above
  for (const user of people) {
    if (!hasRoomForEmail(tx.sql, ROOM_FOR_OTHERS)) break
    if (!isAddressPaused(tx.sql, user) && countMailToStranger(tx, {}, user.deliveryEmail) === undefined)
      mailInvitation(tx, user)
    last = user.id
  }
  if (people.length < MAILS_AT_ONCE && last === (people.at(-1)?.id ?? above)) {
    deleteMeta(tx.sql, 'imported_invited_up_to')
    return undefined
  }
  writeMeta(tx.sql, 'imported_invited_up_to', last)
  return tx.now + BETWEEN_RUNS_SECONDS
}

function mailInvitation(tx: RealmTransaction, user: User): void {
  const { origin } = tx
  const secret = openConfirmation(tx, 'password-reset', user)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.importedAccount.subject(organization),
    paragraphs: [
      texts.importedAccount.happened(organization),
      texts.importedAccount.link(`${origin}/accounts/password/reset/${secret}`),
      texts.importedAccount.validity(`${origin}/accounts/password/reset/`),
    ],
  }))
}
