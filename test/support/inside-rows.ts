/**
 * Functions of the server by which tests arrange what no request makes, or not in a test's time, and look at what no client sees. A
 * statement of SQL in the test is better where one does; here is what has rules of its own.
 */
import type { RealmTransaction } from '../../src/core/realm-transaction.ts'
import type { Sql } from '../../src/core/sql.ts'
import { alertWordsInParts } from '../../src/domain/alert-words/alert-word-rows.ts'
import { changeRole as changeRoleOf } from '../../src/domain/users/accounts/role-rows.ts'
import { findUser } from '../../src/domain/users/user-rows.ts'
import { REFERENCES, WITHOUT_REFERENCES } from '../../src/domain/verification/references.ts'
import { AlertWordIndex } from '../../src/markdown/alert-words.ts'
import type { Role } from '../../src/permissions/roles.ts'

export { channelRecipientId } from '../../src/core/recipient-id.ts'
export { indexedText } from '../../src/core/search-text.ts'
export { isKnownNetwork, rememberNetwork } from '../../src/domain/attempts/login-network-rows.ts'
export { insertAuditEntry } from '../../src/domain/audit-log/audit-entry-rows.ts'
export { insertBrowserSession } from '../../src/domain/browser-sessions/browser-session-rows.ts'
export { enterBrowserSession } from '../../src/domain/browser-sessions/forget-browser-sessions.ts'
export { changeChannel, defaultPermissions } from '../../src/domain/channels/channel-rows.ts'
export { enterDeadLetter } from '../../src/domain/dead-letters/enter-dead-letter.ts'
export { unsubscribeUrl } from '../../src/domain/emails/unsubscribe-token.ts'
export { consentingIds } from '../../src/domain/exports/consent-rows.ts'
export { bounceLocalPart } from '../../src/domain/incoming-mail/bounce-address.ts'
export { insertInvitation } from '../../src/domain/invitations/invitation-rows.ts'
export { insertLinkifier, listLinkifiers } from '../../src/domain/linkifiers/linkifier-rows.ts'
export { insertLoginIdentity } from '../../src/domain/login-providers/login-identity-rows.ts'
export { fillPostings } from '../../src/domain/messages/fill-postings.ts'
export { newestMessageId } from '../../src/domain/messages/message-rows.ts'
export { openTopic } from '../../src/domain/messages/topic-rows.ts'
export { insertMutedUser } from '../../src/domain/muted-users/muted-user-rows.ts'
export { insertReminder } from '../../src/domain/reminders/reminder-rows.ts'
export { insertPasskey } from '../../src/domain/second-factors/passkey-rows.ts'
export { insertAttachment, putLink } from '../../src/domain/uploads/attachment-rows.ts'
export { accountsInGroups } from '../../src/domain/user-groups/group-members.ts'
export {
  insertMembers,
  insertSubgroups,
} from '../../src/domain/user-groups/membership-rows.ts'
export { presentGroupSetting } from '../../src/domain/user-groups/present-group-setting.ts'
export { changeGroup, insertGroup } from '../../src/domain/user-groups/user-group-rows.ts'
export { setPolicy } from '../../src/domain/user-topics/set-policy.ts'
export { changeUser } from '../../src/domain/users/user-rows.ts'
export { REFERENCES } from '../../src/domain/verification/references.ts'

/** Gives somebody another role from the next event on, without any event. */
export function changeRole(tx: RealmTransaction, userId: number, role: Role): void {
  changeRoleOf(tx.sql, findUser(tx.sql, userId)!, role, tx.lastEventId())
}

/** Returns the function that finds whom a word alerts. */
export function alertedBy(sql: Sql): (word: string) => readonly number[] {
  const known = new AlertWordIndex([...alertWordsInParts(sql)].flat())
  return (word) => known.usersAlertedBy(word)
}

/** The tables of which the check of an organization knows what their rows refer to, or that they refer to nothing. */
export const TABLES_WITH_KNOWN_REFERENCES: ReadonlySet<string> = new Set([
  ...REFERENCES.map(({ table }) => table),
  ...Object.keys(WITHOUT_REFERENCES),
])
