import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { hasRoomForEmail, isAddressPaused } from '../../store/emails/email-rows.ts'
import { listLoginProviders } from '../../store/login-providers/login-provider-rows.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { listImportedStubs, type User } from '../../store/users/user-rows.ts'
import { openConfirmation } from '../confirmations/confirmation.ts'
import { queueLetterTo } from '../emails/letter.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { isMethodOn, isProviderOn } from '../login-providers/login-methods.ts'
import { accountsInGroups } from '../user-groups/group-members.ts'

/** Mails that one run queues, and the room that it leaves for other mail. */
const MAILS_AT_ONCE = 25
const ROOM_FOR_OTHERS = 1_500
const BETWEEN_RUNS_SECONDS = MINUTE / 2

/**
 * Begins with the first of them; with a group, of its members. Users who were mailed recently are skipped (docs/security.md#guessing).
 */
export function beginInvitingImported(tx: RealmTransaction, groupId: number | undefined): void {
  writeMeta(tx.sql, 'imported_invited_up_to', 0)
  if (groupId === undefined) deleteMeta(tx.sql, 'imported_invited_group')
  else writeMeta(tx.sql, 'imported_invited_group', groupId)
  tx.schedule({ kind: 'invite-imported', key: '', dueAt: tx.now })
}

/** Mails the next of them. Returns when to continue (UNIX seconds). */
export function inviteNextImported(tx: RealmTransaction): number | undefined {
  const above = readMeta<number>(tx.sql, 'imported_invited_up_to')
  if (above === undefined || isRealmDeactivated(tx.sql)) return undefined
  const groupId = readMeta<number>(tx.sql, 'imported_invited_group')
  const among = groupId === undefined ? undefined : accountsInGroups(tx, [groupId]).toArray()
  const people = listImportedStubs(tx.sql, { above, among }, MAILS_AT_ONCE)
  let last = above
  for (const user of people) {
    if (!hasRoomForEmail(tx.sql, ROOM_FOR_OTHERS)) break
    if (!isAddressPaused(tx.sql, user) && countMailToStranger(tx, {}, user.deliveryEmail) === undefined)
      mailInvitation(tx, user)
    last = user.id
  }
  if (people.length < MAILS_AT_ONCE && last === (people.at(-1)?.id ?? above)) {
    deleteMeta(tx.sql, 'imported_invited_up_to')
    deleteMeta(tx.sql, 'imported_invited_group')
    return undefined
  }
  writeMeta(tx.sql, 'imported_invited_up_to', last)
  return tx.now + BETWEEN_RUNS_SECONDS
}

function mailInvitation(tx: RealmTransaction, user: User): void {
  if (isMethodOn(tx.sql, 'Email')) mailPasswordLink(tx, user)
  else mailLoginPage(tx, user)
}

/** Tells somebody to log in with one of the organization's providers, or through Cloudflare Access. */
function mailLoginPage(tx: RealmTransaction, user: User): void {
  const providers = listLoginProviders(tx.sql).filter((provider) => isProviderOn(tx.sql, provider))
  const names = providers.map(({ displayName }) => displayName).join(' / ')
  queueLetterTo(tx, user, ({ importedAccount }, organization) => ({
    subject: importedAccount.subject(organization),
    paragraphs: [
      importedAccount.happened(organization),
      importedAccount.logIn({ url: `${tx.origin}/accounts/login/`, ways: names }),
      importedAccount.address(user.deliveryEmail),
    ],
  }))
}

function mailPasswordLink(tx: RealmTransaction, user: User): void {
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
