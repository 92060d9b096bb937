import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { ownSecret } from '../../store/meta-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'

/**
 * Purpose of an address, with its ids in order:
 *
 * - `reply`: account, message, last valid day (since 1970);
 * - `channel`: channel, the account that asked for the address, the account that posts its mail;
 * - `bounce`: account, and a digest of the address from which mail bounces.
 */
type AddressKind = 'reply' | 'channel' | 'bounce'

/** An address as written; only the organization's object knows whether it is genuine. */
export interface WrittenAddress {
  readonly kind: AddressKind
  /** The organization (D1 `realm.id`). */
  readonly realmId: number
  readonly ids: readonly number[]
  readonly signature: string
  readonly options: readonly MailOption[]
}

/** Options in a channel's address. Source: docs/interface/notifications.md#mail-that-comes. */
export type MailOption = (typeof MAIL_OPTIONS)[number]
export const MAIL_OPTIONS = [
  'show-sender',
  'include-footer',
  'include-quotes',
  'prefer-text',
  'prefer-html',
] as const

/** First letter of a token, and its number of ids after the organization's. */
const FORM_OF_KIND = {
  reply: { letter: 'r', ids: 3 },
  channel: { letter: 'c', ids: 3 },
  bounce: { letter: 'b', ids: 2 },
} as const satisfies Record<AddressKind, { letter: string; ids: number }>

/** Length of a local part, in characters (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64
const NUMBER = /^[0-9a-z]{1,11}$/
/** A signature of 80 bits, which is enough since trying an address takes a mail. */
const SIGNATURE = /^[0-9a-v]{16}$/

/** Returns the local part of an address: without capitals, which some programs change, and without special characters. */
export function signedLocalPart(
  tx: Pick<RealmTransaction, 'sql' | 'realm' | 'randomHex'>,
  kind: AddressKind,
  ids: readonly number[],
): string {
  const text = unsigned(kind, tx.realm.id, ids)
  return `${text}_${signature(tx, text)}`
}

/** Returns a channel's local part, which begins with as much of the channel's name as fits; this is ignored when mail comes. */
export function channelLocalPart(
  tx: Pick<RealmTransaction, 'sql' | 'realm' | 'randomHex'>,
  name: string,
  ids: readonly number[],
): string {
  const token = `${signedLocalPart(tx, 'channel', ids)}.${'show-sender' satisfies MailOption}`
  const slug = slugOf(name).slice(0, Math.max(MAX_LOCAL_PART_LENGTH - token.length - 1, 0))
  const whole = slug.endsWith('-') ? slug.slice(0, -1) : slug
  return whole === '' ? token : `${whole}.${token}`
}

/** Reads a local part; undefined for any other form. */
export function readLocalPart(localPart: string): WrittenAddress | undefined {
  const parts = localPart
    .slice(0, 2 * MAX_LOCAL_PART_LENGTH)
    .toLowerCase()
    .split(/[.+]/)
  const at = parts.findIndex((part) => part.includes('_'))
  const token = at === -1 ? undefined : readToken(parts[at]!)
  if (!token) return undefined
  return { ...token, options: MAIL_OPTIONS.filter((option) => parts.indexOf(option, at + 1) !== -1) }
}

function readToken(token: string): Omit<WrittenAddress, 'options'> | undefined {
  const [letter, ...fields] = token.split('_')
  const signed = fields.pop() ?? ''
  const kinds = Object.keys(FORM_OF_KIND) as AddressKind[]
  const kind = kinds.find((each) => FORM_OF_KIND[each].letter === letter)
  if (!kind || fields.length !== FORM_OF_KIND[kind].ids + 1 || !SIGNATURE.test(signed)) return undefined
  if (!fields.every((field) => NUMBER.test(field))) return undefined
  const [realmId, ...ids] = fields.map((field) => Number.parseInt(field, 36))
  return { kind, realmId: realmId!, ids, signature: signed }
}

/** Whether this organization has issued the address. */
export function isOurs(
  tx: Pick<RealmTransaction, 'sql' | 'realm' | 'randomHex'>,
  { kind, realmId, ids, signature: signed }: Omit<WrittenAddress, 'options'>,
): boolean {
  const expected = Buffer.from(signature(tx, unsigned(kind, realmId, ids)))
  const given = Buffer.from(signed)
  return realmId === tx.realm.id && given.length === expected.length && timingSafeEqual(given, expected)
}

function unsigned(kind: AddressKind, realmId: number, ids: readonly number[]): string {
  return [FORM_OF_KIND[kind].letter, ...[realmId, ...ids].map((id) => id.toString(36))].join('_')
}

/** Returns the signature of a local part, in an alphabet of 32 characters without capitals. */
function signature(tx: Pick<RealmTransaction, 'sql' | 'randomHex'>, text: string): string {
  const digest = createHmac('sha256', ownSecret(tx, 'mail_address_secret')).update(text).digest()
  return Array.from(digest.subarray(0, 16), (byte) => (byte & 31).toString(32)).join('')
}

/** Returns '' for a name with a letter that has no ASCII form: half of it would mean something else. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  if (/[^\p{ASCII}]/u.test(plain.replaceAll(/[^\p{L}\p{N}]/gu, ''))) return ''
  return plain
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('-')
}

/** Returns the local part of the address for bounces of mail to a user; undefined for an address without an account. */
export function bounceLocalPart(tx: RealmTransaction, recipient: string): string | undefined {
  const user = findUserByEmail(tx.sql, recipient)
  return user && signedLocalPart(tx, 'bounce', [user.id, digestOf(user)])
}

/** Returns the user whose mail bounced, if they still have that address. */
export function userOfBounce(tx: RealmTransaction, to: WrittenAddress): User | undefined {
  const user = to.kind === 'bounce' && isOurs(tx, to) ? findUser(tx.sql, to.ids[0]!) : undefined
  return user && digestOf(user) === to.ids[1] ? user : undefined
}

function digestOf({ deliveryEmail }: User): number {
  return createHash('sha256').update(deliveryEmail).digest().readUInt32BE()
}
