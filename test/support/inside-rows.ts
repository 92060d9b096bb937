/**
 * Functions of the server by which tests arrange what no request makes, or not in a test's time, and look at what no client sees. A
 * statement of SQL in the test is better where one does; here is what has rules of its own.
 */
import type { Sql } from '../../src/core/sql.ts'
import { ALERT_WORDS } from '../../src/domain/alert-words/known-alert-words.ts'
import { REFERENCES, WITHOUT_REFERENCES } from '../../src/domain/verification/references.ts'

export { isKnownNetwork, rememberNetwork } from '../../src/domain/attempts/login-network-rows.ts'
export { insertAuditEntry } from '../../src/domain/audit-log/audit-entry-rows.ts'
export { insertBrowserSession } from '../../src/domain/browser-sessions/browser-session-rows.ts'
export { enterBrowserSession } from '../../src/domain/browser-sessions/forget-browser-sessions.ts'
export { enterDeadLetter } from '../../src/domain/dead-letters/enter-dead-letter.ts'
export { unsubscribeUrl } from '../../src/domain/emails/unsubscribe-token.ts'
export { consentingIds } from '../../src/domain/exports/consent-rows.ts'
export { bounceLocalPart } from '../../src/domain/incoming-mail/bounce-address.ts'
export { fillPostings } from '../../src/domain/messages/fill-postings.ts'

/** Returns the function that finds whom a word alerts. */
export function alertedBy(sql: Sql): (word: string) => readonly number[] {
  const known = ALERT_WORDS.load(sql).over(sql)
  return (word) => known.usersAlertedBy(word)
}

/** The tables of which the check of an organization knows what their rows refer to, or that they refer to nothing. */
export const TABLES_WITH_KNOWN_REFERENCES: ReadonlySet<string> = new Set([
  ...REFERENCES.map(({ table }) => table),
  ...Object.keys(WITHOUT_REFERENCES),
])
