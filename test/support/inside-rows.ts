/**
 * Exports functions of the server with which tests set up states that no request makes, or makes too slowly, and inspect what no client sees.
 * If a plain SQL statement is enough, a test uses that instead.
 */
import type { RealmTransaction } from '../../src/core/realm-transaction.ts'
import type { Sql } from '../../src/core/sql.ts'
import { AlertWordIndex } from '../../src/markdown/alert-words.ts'
import type { Role } from '../../src/rules/roles.ts'
import { alertWordsInParts } from '../../src/store/personal/personal-rows.ts'
import { changeRole as changeRoleOf } from '../../src/store/users/accounts/role-rows.ts'
import { findUser } from '../../src/store/users/user-rows.ts'
import { REFERENCES } from '../../src/store/verification/references.ts'
import { WITHOUT_REFERENCES } from './tables-without-references.ts'

export { channelRecipientId } from '../../src/core/recipient-id.ts'
export { indexedText } from '../../src/core/search-text.ts'
export { unsubscribeUrl } from '../../src/model/emails/unsubscribe-token.ts'
export { bounceLocalPart } from '../../src/model/incoming-mail/mail-address.ts'
export { fillPostings } from '../../src/model/sending/store-message.ts'
export { presentGroupSetting } from '../../src/model/user-groups/present-user-group.ts'
export { setPolicy } from '../../src/model/user-topics/set-policy.ts'
export { addBrowserSession } from '../../src/model/users/login/sessions.ts'
export { addDeadLetter } from '../../src/outgoing/add-dead-letter.ts'
export { isKnownNetwork, rememberNetwork } from '../../src/store/attempts/network-rows.ts'
export { insertAuditEntry } from '../../src/store/audit-log/audit-entry-rows.ts'
export { insertBrowserSession } from '../../src/store/browser-sessions/browser-session-rows.ts'
export { changeChannel, defaultPermissions } from '../../src/store/channels/channel-rows.ts'
export { consentingIds } from '../../src/store/exports/export-rows.ts'
export { insertInvitation } from '../../src/store/invitations/invitation-rows.ts'
export { insertLoginIdentity } from '../../src/store/login-providers/login-provider-rows.ts'
export { newestMessageId } from '../../src/store/messages/message-rows.ts'
export { openTopic } from '../../src/store/messages/topic-rows.ts'
export { insertMutedUser } from '../../src/store/muted-users/muted-user-rows.ts'
export { insertLinkifier, listLinkifiers } from '../../src/store/realm/realm-list-rows.ts'
export { insertPasskey } from '../../src/store/second-factors/second-factor-rows.ts'
export { insertReminder } from '../../src/store/unsent/unsent-rows.ts'
export { insertAttachment, putLink } from '../../src/store/uploads/attachment-rows.ts'
export {
  insertMembers,
  insertSubgroups,
} from '../../src/store/user-groups/membership-rows.ts'
export { changeGroup, insertGroup } from '../../src/store/user-groups/user-group-rows.ts'
export { changeUser } from '../../src/store/users/user-rows.ts'
export { REFERENCES } from '../../src/store/verification/references.ts'

/** Gives a user another role from the next event on, without any event. */
export function changeRole(tx: RealmTransaction, userId: number, role: Role): void {
  changeRoleOf(tx.sql, findUser(tx.sql, userId)!, role, tx.lastEventId())
}

/** Returns the function that finds whom a word alerts. */
export function alertedBy(sql: Sql): (word: string) => readonly number[] {
  const known = new AlertWordIndex([...alertWordsInParts(sql)].flat())
  return (word) => known.usersAlertedBy(word)
}

/** The tables whose references the verification of an organization knows. */
export const TABLES_WITH_KNOWN_REFERENCES: ReadonlySet<string> = new Set([
  ...REFERENCES.map(({ table }) => table),
  ...Object.keys(WITHOUT_REFERENCES),
])
