import type { RequestSource } from '../../core/call.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { userSetting } from '../users/settings/user-setting-rows.ts'
import type { User } from '../users/user-rows.ts'
import { hasRoomForEmail } from './email-rows.ts'
import { expectGuide } from './guide-newcomer.ts'
import { noteProgram } from './known-program-rows.ts'
import { queueLetter, timeFor } from './letter.ts'
import { mayMailOwner } from './mail-limits.ts'
import { isAddressPaused } from './paused-address-rows.ts'
import type { MailTexts } from './texts/mail-texts.ts'
import { textsFor } from './texts/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-token.ts'
import { programOf } from './user-agent-words.ts'

/** The age of an account, in seconds, up to which no mail tells of its logins: whoever has just come knows that they log in. */
const NEW_ACCOUNT_SECONDS = MINUTE

/** The page where one sets a password by mail. */
const NEW_PASSWORD_PATH = '/accounts/password/reset/'

/**
 * Somebody has logged in: with a browser or program that the account was not logged in with before, its owner is notified by mail.
 * Source: docs/interface/notifications.md#mail-of-accounts, whose mail of every login this narrows to new ones.
 */
export function mailLogin(tx: RealmTransaction, user: User, source: RequestSource): void {
  const { program, system } = programOf(source.userAgent)
  const isNew = noteProgram(tx.sql, user.id, [program, system].filter(Boolean).join(' '), tx.now)
  if (!isNew || !userSetting(user, 'enable_login_emails')) return
  if (tx.now - user.joinedAt < NEW_ACCOUNT_SECONDS || !hasRoomForEmail(tx.sql)) return
  if (isAddressPaused(tx.sql, user) || !mayMailOwner(tx, source, user.id)) return
  const texts = textsFor(user)
  const unsubscribe = unsubscribeUrl(tx, source.origin, 'login', user.id)
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: texts.login.subject(texts.occasion.device(program, system)),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.login.happened(user.deliveryEmail, realmProperty(tx.sql, 'name'), source.origin),
      occasionOf(tx, user, texts, source),
      texts.login.wellKnown,
      texts.login.unknown(`${source.origin}${NEW_PASSWORD_PATH}`),
    ],
    footer: [[texts.login.unsubscribe, unsubscribe]],
    headers: unsubscribeHeaders(unsubscribe),
  })
}

/** Writes to an account's owner that its password or API key was changed, whoever did it. There is no setting against that. */
export function mailCredentialChange(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  what: 'password' | 'apiKey',
): void {
  if (user.botType !== null || !hasRoomForEmail(tx.sql) || !mayMailOwner(tx, source, user.id)) return
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: texts.credentials[what].subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.credentials[what].happened(user.deliveryEmail, organization),
      occasionOf(tx, user, texts, source),
      texts.credentials.unknown(`${source.origin}${NEW_PASSWORD_PATH}`),
    ],
  })
}

/**
 * Another address is the account's now: the one that was it so far hears of it, in case that somebody else did it. `source`: who
 * has followed the link to confirm it; absent where an administrator has changed it.
 */
export function mailAddressChange(
  tx: RealmTransaction,
  user: User,
  newAddress: string,
  source: RequestSource | undefined,
): void {
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: texts.addressChange.subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.addressChange.happened(organization, newAddress),
      source
        ? occasionOf(tx, user, texts, source)
        : `${texts.addressChange.byAdministrator}\n${texts.occasion.time(timeFor(tx.now, user, texts))}`,
      texts.addressChange.unknown,
    ],
  })
}

/**
 * Somebody has joined: where it is and how to begin, if the organization wants new people greeted so. Some days later a word on topics
 * follows.
 */
export function mailWelcome(
  tx: RealmTransaction,
  user: User,
  { origin }: Pick<RequestSource, 'origin'>,
): void {
  if (!realmProperty(tx.sql, 'send_welcome_emails') || !hasRoomForEmail(tx.sql)) return
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: texts.welcome.subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.welcome.happened(organization, origin, user.deliveryEmail),
      texts.welcome.begin,
      texts.welcome.password(`${origin}${NEW_PASSWORD_PATH}`),
    ],
  })
  expectGuide(tx, user)
}

/** The time, the program and the network of an occasion, in words. */
function occasionOf(tx: RealmReads, user: User, texts: MailTexts, { userAgent, ip }: RequestSource): string {
  const { program, system } = programOf(userAgent)
  return [
    texts.occasion.time(timeFor(tx.now, user, texts)),
    texts.occasion.by(texts.occasion.device(program, system)),
    ...(ip === '' ? [] : [texts.occasion.from(ip)]),
  ].join('\n')
}
