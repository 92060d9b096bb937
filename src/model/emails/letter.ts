import { type Html, html } from '../../core/html.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { timesInWords } from '../../core/time-in-words.ts'
import type { WrittenEmail } from '../../store/emails/email-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { clockOf } from '../users/settings/reader-clock.ts'
import { mailHtml } from './mail-layout.ts'
import { queueEmails } from './queue-email.ts'
import type { MailTexts } from './texts/mail-texts.ts'

/** A mail of a few paragraphs, as text and as HTML. */
export interface Letter {
  readonly recipient: string
  readonly subject: string
  /** Paragraphs, each of one or more lines; one that is only an address becomes a link. */
  readonly paragraphs: readonly string[]
  /** Names of links, and their targets. */
  readonly footer?: readonly (readonly [name: string, url: string])[]
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Queues a letter to be mailed after the commit.
 *
 * @throws ServiceUnavailableError when too much mail is pending
 */
export function queueLetter(tx: RealmTransaction, texts: MailTexts, letter: Letter): void {
  queueLetters(tx, texts, [letter])
}

/** Queues several letters as `queueLetter` does one: all of them or none. */
export function queueLetters(tx: RealmTransaction, texts: MailTexts, letters: readonly Letter[]): void {
  queueEmails(
    tx,
    letters.map((letter) => writtenLetter(texts, letter)),
  )
}

function writtenLetter(
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

/** Returns a time in words, by the reader's clock and zone, in the language of the mail. `time`: UNIX seconds. */
export function timeFor(time: number, reader: User, { language }: MailTexts): string {
  return timesInWords({ ...clockOf(reader), language })(time)
}

/** Returns a time in words for a visitor without an account: in UTC. */
export function timeForAnyone(time: number, { language }: MailTexts): string {
  return timesInWords({ language, hour12: false, timeZone: 'UTC' })(time)
}
