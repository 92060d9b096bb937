import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { ownSecret } from '../../store/meta-rows.ts'

/** Kinds of mail with a link to switch them off, and the setting that it changes. */
export const MAIL_OF_KIND = {
  missed_messages: 'enable_offline_email_notifications',
  login: 'enable_login_emails',
  digest: 'enable_digest_emails',
  marketing: 'enable_marketing_emails',
} as const

export type MailKind = keyof typeof MAIL_OF_KIND

export const UNSUBSCRIBE_PATH = '/accounts/unsubscribe'

const TOKEN = /^(\d{1,15})-([0-9a-f]{64})$/

/** Returns the address of the page that switches off a kind of mail, without a login. It never expires. */
export function unsubscribeUrl(tx: RealmTransaction, origin: string, kind: MailKind, userId: number): string {
  return `${origin}${UNSUBSCRIBE_PATH}/${kind}/${userId}-${signature(tx, kind, userId)}`
}

/** Returns the headers that make mail programs show a button of their own (RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Returns the account of a token; undefined when the token is not ours. */
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
  return createHmac('sha256', ownSecret(tx, 'unsubscribe_secret')).update(`${kind}:${userId}`).digest('hex')
}
