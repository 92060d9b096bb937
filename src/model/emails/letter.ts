import type { MailTexts } from '../../../texts/compiled/mail.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { timesInWords } from '../../core/time.ts'
import { directionOf, type Html, html } from '../../core/written-languages.ts'
import { insertEmail, NOBODY, requireRoomForEmail, type WrittenEmail } from '../../store/emails/email-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { listSystemBots, type User } from '../../store/users/user-rows.ts'
import { clockOf } from '../users/settings/reader-clock.ts'
import { textsFor } from './texts-for.ts'

/** One mail, independent of how it is sent. */
export interface OutgoingEmail {
  /** `<…@host>`: the same each time the mail is tried. */
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Displayed name of the sender, whose address is the deployment's. */
  readonly senderName?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Address for bounces, if the mail service supports one; otherwise they go to the sender. */
  readonly returnPath?: string
  /** UNIX seconds. */
  readonly writtenAt: number
}

/** A mail of a few paragraphs, as text and as HTML. */
interface Letter {
  readonly recipient: string
  readonly subject: string
  /** Paragraphs of one or more lines; a line that is only an address becomes a link. */
  readonly paragraphs: readonly string[]
  readonly footer?: readonly (readonly [name: string, url: string])[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Queues letters, all or none, as `queueEmail` does. @throws ServiceUnavailableError when too much mail is pending */
export function queueLetter(tx: RealmTransaction, texts: MailTexts, ...letters: readonly Letter[]): void {
  queueEmail(tx, ...letters.map((letter) => writtenLetter(texts, letter)))
}

/**
 * Returns the address at which a user is known to read mail: the present one, or where somebody else has set that, the one before.
 * Undefined if there is none.
 */
export function mailboxOf({
  isEmailConfirmed,
  deliveryEmail,
  formerEmail,
}: Pick<User, 'isEmailConfirmed' | 'deliveryEmail' | 'formerEmail'>): string | undefined {
  return isEmailConfirmed ? deliveryEmail : formerEmail || undefined
}

/** Queues a letter to a user, in their language, that begins with a greeting. `write` gets the organization's name. */
export function queueLetterTo(
  tx: RealmTransaction,
  user: User,
  write: (texts: MailTexts, organization: string) => Omit<Letter, 'recipient'>,
): void {
  const texts = textsFor(user)
  const { paragraphs, ...letter } = write(texts, realmProperty(tx.sql, 'name'))
  const greeted = [texts.greeting(user.fullName), ...paragraphs]
  queueLetter(tx, texts, { ...letter, recipient: mailboxOf(user) ?? user.deliveryEmail, paragraphs: greeted })
}

/** Returns a letter as a mail in the language of these texts. */
export function writtenLetter(
  { language }: MailTexts,
  { recipient, subject, paragraphs, footer = [], headers }: Letter,
): WrittenEmail {
  const body = html`${paragraphs.map((text) => html`<p style="white-space:pre-line">${linesOf(text)}</p>\n`)}`
  const links = html`${footer.map(([name, url]) => html`<p><a href="${url}">${name}</a></p>`)}`
  return {
    recipient,
    subject,
    body: [...paragraphs, ...footer.map(([name, url]) => `${name}: ${url}`)].join('\n\n'),
    html: mailHtml(language, subject, body, links),
    headers,
  }
}

function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => {
    const content = /^https?:\/\/\S+$/.test(line) ? html`<a href="${line}">${line}</a>` : html`${line}`
    return index === 0 ? content : html`\n${content}`
  })
}

/** Returns a time in words, by the reader's clock and time zone, in the language of the mail. `time`: UNIX seconds. */
export function timeFor(time: number, reader: User, { language }: MailTexts): string {
  return timesInWords({ ...clockOf(reader), language })(time)
}

/** Returns a time in words for a visitor without an account: in UTC. */
export function timeForAnyone(time: number, { language }: MailTexts): string {
  return timesInWords({ language, hour12: false, timeZone: 'UTC' })(time)
}

/**
 * Queues mails, all or none, in the commit that causes them. They are sent after it, and tried again until they are sent.
 * @throws ServiceUnavailableError when too much mail is pending
 */
export function queueEmail(tx: RealmTransaction, ...emails: readonly WrittenEmail[]): void {
  requireRoomForEmail(tx.sql, emails.length)
  for (const email of emails) insertEmail(tx.sql, email, { writtenAt: tx.now, sentAt: null })
  tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now })
}

/** Returns the HTML of a mail: one column, without scripts, pictures or anything else to fetch. */
export function mailHtml(language: string, title: string, body: Html, footer: Html): string {
  return html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff">
<div${directionOf(language)} style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
${body}
<div style="margin-top:24px;padding-top:12px;border-top:1px solid #ddd;font-size:13px;color:#555">
${footer}
</div>
</div>
</body>
</html>
`.text
}

/** Returns an account in place of the unknown one behind an address, so that the same rows are written. Its mail is dropped. */
export function accountOfNobody({ sql }: Pick<RealmReads, 'sql'>): User | undefined {
  const [bot] = listSystemBots(sql)
  return bot && { ...bot, deliveryEmail: NOBODY }
}
