import type { RequestSource } from '../../core/call.ts'
import { html } from '../../core/html.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { User } from '../users/user-rows.ts'
import { userSetting } from '../users/user-setting-rows.ts'
import { hasRoomForEmail, queueEmail } from './email-rows.ts'
import { noteProgram } from './known-program-rows.ts'
import { mailHtml } from './mail-layout.ts'
import { isAddressPaused } from './paused-address-rows.ts'
import type { MailTexts } from './texts/mail-texts.ts'
import { textsFor } from './texts/texts-for.ts'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-token.ts'
import { programOf } from './user-agent-words.ts'

/** Whoever has just come knows that they log in. */
const NEW_ACCOUNT_SECONDS = MINUTE

/** The page where one sets a password by mail. */
const NEW_PASSWORD_PATH = '/accounts/password/reset/'

/**
 * Somebody has logged in: with a browser or program that the account was not logged in with before, its owner is told by mail.
 * Source: notifications 6, whose mail of every login this narrows to new ones.
 */
export function mailLogin(tx: RealmTransaction, user: User, source: RequestSource): void {
  const { program, system } = programOf(source.userAgent)
  const isNew = noteProgram(tx.sql, user.id, [program, system].filter(Boolean).join(' '), tx.now)
  if (!isNew || !userSetting(user, 'enable_login_emails')) return
  if (tx.now - user.joinedAt < NEW_ACCOUNT_SECONDS || !hasRoomForEmail(tx.sql)) return
  if (isAddressPaused(tx.sql, user)) return
  const texts = textsFor(user)
  const device = texts.login.device(program, system)
  const unsubscribe = unsubscribeUrl(tx, source.origin, 'login', user.id)
  mailAccount(tx, user, texts, {
    subject: texts.login.subject(device),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.login.happened(user.deliveryEmail, realmProperty(tx.sql, 'name'), source.origin),
      [
        texts.login.time(timeFor(tx.now, user, texts)),
        texts.login.by(device),
        ...(source.ip === '' ? [] : [texts.login.from(source.ip)]),
      ].join('\n'),
      texts.login.wellKnown,
      texts.login.unknown(`${source.origin}${NEW_PASSWORD_PATH}`),
    ],
    footer: [[texts.login.unsubscribe, unsubscribe]],
    headers: unsubscribeHeaders(unsubscribe),
  })
}

/** What opens an account is another now: its owner hears of it, whoever it was. There is no setting for that. */
export function mailCredentialChange(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  what: 'password' | 'apiKey',
): void {
  if (user.botType !== null || !hasRoomForEmail(tx.sql)) return
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  mailAccount(tx, user, texts, {
    subject: texts.credentials[what].subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.credentials[what].happened(user.deliveryEmail, organization, timeFor(tx.now, user, texts)),
      texts.credentials.unknown(`${source.origin}${NEW_PASSWORD_PATH}`),
    ],
    footer: [],
  })
}

/** Somebody has joined: where it is and how to begin, if the organization wants new people greeted so. */
export function mailWelcome(
  tx: RealmTransaction,
  user: User,
  { origin }: Pick<RequestSource, 'origin'>,
): void {
  if (!realmProperty(tx.sql, 'send_welcome_emails') || !hasRoomForEmail(tx.sql)) return
  const texts = textsFor(user)
  const organization = realmProperty(tx.sql, 'name')
  mailAccount(tx, user, texts, {
    subject: texts.welcome.subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.welcome.happened(organization, origin, user.deliveryEmail),
      texts.welcome.begin,
      texts.welcome.password(`${origin}${NEW_PASSWORD_PATH}`),
    ],
    footer: [],
  })
}

interface AccountMail {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Names of links, and where they lead. */
  readonly footer: readonly (readonly [name: string, url: string])[]
  readonly headers?: Readonly<Record<string, string>>
}

function mailAccount(
  tx: RealmTransaction,
  user: User,
  { language }: MailTexts,
  { subject, paragraphs, footer, headers }: AccountMail,
): void {
  const body = html`${paragraphs.map((text) => html`<p style="white-space:pre-line">${text}</p>\n`)}`
  const links = html`${footer.map(([name, url]) => html`<p><a href="${url}">${name}</a></p>`)}`
  queueEmail(tx, {
    recipient: user.deliveryEmail,
    subject,
    body: [...paragraphs, ...footer.map(([name, url]) => `${name}: ${url}`)].join('\n\n'),
    html: mailHtml(language, subject, body, links),
    headers,
  })
}

/** `Monday, 18 May 2026 at 16:00 GMT+2`, as its reader has clock and zone. */
function timeFor(time: number, user: User, { language }: MailTexts): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: !userSetting(user, 'twenty_four_hour_time'),
    timeZone: user.timezone || 'UTC',
    timeZoneName: 'short',
  }).format(time * 1_000)
}
