import type { MailTexts } from '../../../texts/compiled/mail.ts'
import type { RequestSource } from '../../core/call.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR, MINUTE } from '../../core/time.ts'
import { hasRoomForEmail, isAddressPaused, noteProgram } from '../../store/emails/email-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, listOwners, type User } from '../../store/users/user-rows.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { mailboxOf, queueLetterTo, timeFor } from './letter.ts'
import { countMailToStranger, mayMailOwner, tooManyAttempts } from './mail-limits.ts'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-token.ts'

/** Seconds after joining in which a login is not reported: the user is just logging in. */
const NEW_ACCOUNT_SECONDS = MINUTE

/** The page for setting a password by mail. */
const NEW_PASSWORD_PATH = '/accounts/password/reset/'

/** Mails an account's owner about a login with a new browser or program (docs/mail.md#mail-of-accounts). */
export function mailLogin(tx: RealmTransaction, user: User, source: RequestSource): void {
  const { program, system } = programOf(source.userAgent)
  if (mailboxOf(user) === undefined) return
  const isNew = noteProgram(tx.sql, user.id, [program, system].filter(Boolean).join(' '), tx.now)
  if (!isNew || !userSetting(user, 'enable_login_emails')) return
  if (tx.now - user.joinedAt < NEW_ACCOUNT_SECONDS || !hasRoomForEmail(tx.sql)) return
  if (isAddressPaused(tx.sql, user) || !mayMailOwner(tx, source, user.id)) return
  const unsubscribe = unsubscribeUrl(tx, source.origin, 'login', user.id)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.login.subject(texts.occasion.device({ program, system })),
    paragraphs: [
      texts.login.happened({ address: user.deliveryEmail, organization, origin: source.origin }),
      occasionOf(tx, user, texts, source),
      texts.login.wellKnown,
      ifUnknown(tx, source, texts, texts.login.unknown),
    ],
    footer: [[texts.login.unsubscribe, unsubscribe]],
    headers: unsubscribeHeaders(unsubscribe),
  }))
}

/** Mails an account's owner that a credential or log-in provider was changed. No setting turns this mail off. */
export function mailCredentialChange(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  what: Exclude<keyof MailTexts['credentials'], 'unknown'>,
): void {
  if (
    user.botType !== null ||
    mailboxOf(user) === undefined ||
    !hasRoomForEmail(tx.sql) ||
    !mayMailOwner(tx, source, user.id)
  )
    return
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.credentials[what].subject(organization),
    paragraphs: [
      texts.credentials[what].happened({ address: user.deliveryEmail, organization }),
      occasionOf(tx, user, texts, source),
      ifUnknown(tx, source, texts, texts.credentials.unknown),
    ],
  }))
}

/**
 * Mails the former address of an account about the change, in case the owner did not make it. `source`: the request that
 * confirmed it by the link; absent where an administrator made the change.
 *
 * @throws BadRequestError when that address, which no account has any more, has got too much mail
 */
export function mailAddressChange(
  tx: RealmTransaction,
  user: User,
  newAddress: string,
  source: RequestSource | undefined,
): void {
  const mailbox = mailboxOf(user)
  if (mailbox === undefined) return
  // Without the mail, the owner would not learn of the change.
  const wait = countMailToStranger(tx, source ?? {}, mailbox)
  if (wait !== undefined) throw tooManyAttempts(wait)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.addressChange.subject(organization),
    paragraphs: [
      texts.addressChange.happened({ organization, newAddress }),
      source
        ? occasionOf(tx, user, texts, source)
        : `${texts.addressChange.byAdministrator}\n${texts.occasion.time(timeFor(tx.now, user, texts))}`,
      texts.addressChange.unknown,
    ],
  }))
}

/**
 * Mails the address before of an account to which somebody else has given another one, with a link that confirms that one.
 * @throws BadRequestError when it has got too much mail
 */
export function mailGivenAddress(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  link: string,
): void {
  const wait = countMailToStranger(tx, source, mailboxOf(user)!)
  if (wait !== undefined) throw tooManyAttempts(wait)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.addressChange.subject(organization),
    paragraphs: [
      texts.addressChange.given({ organization, newAddress: user.deliveryEmail }),
      `${texts.addressChange.byAdministrator}\n${texts.occasion.time(timeFor(tx.now, user, texts))}`,
      texts.addressChange.confirm(link),
      texts.addressChange.unknown,
    ],
  }))
}

/** Number of owners who are mailed about an account, the first ones. */
const MAX_NOTIFIED = 20

/** Mails the owners what happened to somebody's account, as often as to any account's owner. */
function mailOwners(
  tx: RealmTransaction,
  source: RequestSource,
  about: User,
  write: Parameters<typeof queueLetterTo>[2],
): void {
  const others = listOwners(tx.sql).filter((owner) => owner.id !== about.id && getsMail(owner))
  for (const owner of others.slice(0, MAX_NOTIFIED)) {
    if (hasRoomForEmail(tx.sql) && mayMailOwner(tx, source, owner.id)) queueLetterTo(tx, owner, write)
  }
}

/** Mails the owners that somebody has set another address for an account that its person has used. `opens`: whether it opens the account at once. */
export function mailOwnersOfAddress(
  tx: RealmTransaction,
  user: User,
  change: {
    readonly source: RequestSource
    /** Null for an identity provider. */
    readonly by: User | null
    readonly address: string
    readonly opens: boolean
  },
): void {
  const { source, by, address, opens } = change
  mailOwners(tx, source, user, ({ ofAccounts }, organization) => ({
    subject: ofAccounts.address.subject({ name: user.fullName, organization }),
    paragraphs: [
      ofAccounts.address.happened({
        name: user.fullName,
        before: user.deliveryEmail,
        address,
        by: by?.fullName ?? null,
      }),
      opens ? ofAccounts.allowed : ofAccounts.address.unconfirmed(user.fullName),
    ],
  }))
}

/** Mails the owners that an account was opened in a way that its person had not connected, since the deployment allows that. `way`: null for a token. */
export function mailOwnersOfOpening(
  tx: RealmTransaction,
  user: User,
  source: RequestSource,
  way: string | null,
): void {
  mailOwners(tx, source, user, ({ ofAccounts }, organization) => ({
    subject: ofAccounts.opened.subject({ name: user.fullName, organization }),
    paragraphs: [
      ofAccounts.opened.happened({ name: user.fullName, address: user.deliveryEmail, way }),
      ofAccounts.allowed,
    ],
  }))
}

/** Welcomes a new user by mail, if the organization wants that. A mail about topics follows some days later. */
export function mailWelcome(
  tx: RealmTransaction,
  user: User,
  { origin }: Pick<RequestSource, 'origin'>,
): void {
  if (!user.isEmailConfirmed || !realmProperty(tx.sql, 'send_welcome_emails') || !hasRoomForEmail(tx.sql))
    return
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.welcome.subject(organization),
    paragraphs: [
      texts.welcome.happened({ organization, origin, address: user.deliveryEmail }),
      texts.welcome.begin,
      ...(hasPasswords(tx) ? [texts.welcome.password(`${origin}${NEW_PASSWORD_PATH}`)] : []),
    ],
  }))
  expectGuide(tx, user)
}

/** Returns what to do about an action that was another person's. Where passwords are off, a new one would help nobody. */
function ifUnknown(
  tx: RealmReads,
  { origin }: Pick<RequestSource, 'origin'>,
  texts: MailTexts,
  withPassword: (url: string) => string,
): string {
  return hasPasswords(tx)
    ? withPassword(`${origin}${NEW_PASSWORD_PATH}`)
    : texts.unknownWithoutPassword(`${origin}/#settings/security`)
}

function hasPasswords({ sql }: RealmReads): boolean {
  return realmProperty(sql, 'authentication_methods').Email
}

/** Returns the time, the program and the network of an action, in words. */
function occasionOf(tx: RealmReads, user: User, texts: MailTexts, { userAgent, ip }: RequestSource): string {
  const { program, system } = programOf(userAgent)
  return [
    texts.occasion.time(timeFor(tx.now, user, texts)),
    texts.occasion.by(texts.occasion.device({ program, system })),
    ...(ip === '' ? [] : [texts.occasion.from(ip)]),
  ].join('\n')
}

/** The first match counts, since many programs also name others. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bZulipMobile\b|\bZulipFlutter\b/i, 'Zulip (mobile)'],
  [/\bZulipElectron\b/i, 'Zulip (desktop)'],
  [/\bZulipTerminal\b/i, 'Zulip Terminal'],
  [/\bZulip/i, 'Zulip'],
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPad\b|\biOS\b/, 'iOS'],
  [/\bAndroid\b/i, 'Android'],
  [/\bWindows\b/i, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac ?OS\b|\bMacintosh\b|\bdarwin\b/i, 'macOS'],
  [/\bLinux\b|\bX11\b/i, 'Linux'],
]

/** A name before a slash, as many programs have: `curl/8.5.0`. */
const NAMED = /^([A-Za-z][\w.-]{0,29})\//

/** Reads the User-Agent header; versions are left out. */
export function programOf(userAgent: string) {
  const find = (words: typeof PROGRAMS) => words.find(([sign]) => sign.test(userAgent))?.[1]
  const name = NAMED.exec(userAgent)?.[1]
  return { program: find(PROGRAMS) ?? (name === 'Mozilla' ? undefined : name), system: find(SYSTEMS) }
}

/** Days from joining to the mail, by the weekday of joining in UTC, from Monday on: never on a weekend. */
const DAYS_LATER = [2, 2, 2, 4, 4, 2, 2] as const
/** Weekday of the first day of UNIX time, a Thursday. */
const WEEKDAY_OF_FIRST_DAY = 3

/** Schedules the guide for a new member. Source: docs/mail.md#mail-of-accounts. */
function expectGuide(tx: RealmTransaction, user: User): void {
  const weekday = (Math.floor(tx.now / DAY) + WEEKDAY_OF_FIRST_DAY) % 7
  const dueAt = tx.now + DAYS_LATER[weekday]! * DAY - HOUR
  tx.schedule({ kind: 'guide-newcomer', key: String(user.id), dueAt })
}

/** Sends the mail, if the new member and the organization still want it. */
export function guideNewMember(tx: RealmTransaction, userId: number): undefined {
  const user = findUser(tx.sql, userId)
  if (!getsMail(user) || !userSetting(user, 'enable_marketing_emails')) return undefined
  if (!realmProperty(tx.sql, 'send_welcome_emails') || isRealmDeactivated(tx.sql)) return undefined
  if (isAddressPaused(tx.sql, user) || !hasRoomForEmail(tx.sql)) return undefined
  const { origin } = tx
  const unsubscribe = unsubscribeUrl(tx, origin, 'marketing', user.id)
  queueLetterTo(tx, user, ({ guide }, organization) => {
    const [first, ...others] = guide.said
    return {
      subject: guide.subject,
      paragraphs: [first(organization), ...others, `${origin}/`],
      footer: [[guide.unsubscribe, unsubscribe]],
      headers: unsubscribeHeaders(unsubscribe),
    }
  })
  return undefined
}
