import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Kinds of mail that a link in each switches off, with the setting that it changes. */
export const MAIL_OF_KIND = {
  missed_messages: 'enable_offline_email_notifications',
  login: 'enable_login_emails',
  digest: 'enable_digest_emails',
  marketing: 'enable_marketing_emails',
} as const

export type MailKind = keyof typeof MAIL_OF_KIND

export const UNSUBSCRIBE_PATH = '/accounts/unsubscribe'

const TOKEN = /^(\d{1,15})-([0-9a-f]{64})$/

/**
 * Returns the page behind a mail's link that switches off such mail: valid without a login, for ever, and for
 * nothing else.
 */
export function unsubscribeUrl(tx: RealmTransaction, origin: string, kind: MailKind, userId: number): string {
  return `${origin}${UNSUBSCRIBE_PATH}/${kind}/${userId}-${signature(tx, kind, userId)}`
}

/** Returns the headers with which mail programs show a button of their own (RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Returns the account and the kind of mail of a token; undefined when it is not ours. */
export function readUnsubscribeToken(
  tx: RealmTransaction,
  kind: MailKind,
  token: string,
): number | undefined {
  const [, id, signed] = TOKEN.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const expected = signature(tx, kind, Number(id))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? Number(id) : undefined
}

function signature(tx: RealmTransaction, kind: MailKind, userId: number): string {
  return createHmac('sha256', secretOf(tx)).update(`${kind}:${userId}`).digest('hex')
}

/** Returns the secret with which tokens are signed: made when it is first needed, and never given away. */
function secretOf(tx: RealmTransaction): string {
  const known = readMeta<string>(tx.sql, 'unsubscribe_secret')
  if (known !== undefined) return known
  const secret = tx.randomHex(32)
  writeMeta(tx.sql, 'unsubscribe_secret', secret)
  return secret
}
