import type { Address, Email } from 'postal-mime'
import PostalMime from 'postal-mime'
import { markdownOfHtml } from '../../model/incoming-mail/in-worker/markdown-of-html.ts'
import { ownWords } from '../../model/incoming-mail/in-worker/own-words.ts'
import type { MailOption } from '../../model/incoming-mail/mail-address.ts'
import { hasMark, isForwarded } from '../../model/incoming-mail/topic-of-subject.ts'
import { isRefusedAddress } from '../../outgoing/emails/email-handover.ts'

export interface MailFile {
  readonly name: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** Limits of the nesting of parts and of the bytes of headers, far beyond real mail. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 256 * 1024 }
/** Limit of lines, which no mail with attachments reaches: the library's work can grow with their square. */
const MAX_LINES = 200_000
/** Limit of the sender's name and address, in UTF-16 units. */
const MAX_SENDER_LENGTH = 200

/** Parses a mail. @throws {Error} if it is not a mail, or exceeds the limits */
export async function parseMail(raw: Uint8Array): Promise<Email> {
  if (countLines(raw) > MAX_LINES) throw new Error('The mail has too many lines')
  return PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true, attachmentEncoding: 'arraybuffer' })
}

function countLines(raw: Uint8Array): number {
  let count = 0
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) count += 1
  return count
}

/** Returns the value of a header, in lower case; '' without it. */
export function headerOf({ headers }: Email, name: string): string {
  return (
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  )
}

/** Returns the part of a mail that becomes the message; '' without one. Source: docs/interface/notifications.md#mail-that-comes. */
export function textOf(email: Email, options: readonly MailOption[], isReply: boolean): string {
  const forms = [withoutCode(plain(email.text ?? '')), email.html === undefined ? '' : ofHtml(email.html)]
  if (options.includes('prefer-html')) forms.reverse()
  const text = forms.find((form) => form.trim() !== '') ?? ''
  const subject = email.subject ?? ''
  // A mail that is not a reply has no quotation to leave out, whatever its lines look like.
  const answers = isReply || email.inReplyTo !== undefined || hasMark(subject)
  const quotes = options.includes('include-quotes') || isForwarded(subject) || !answers
  return ownWords(text, { quotes, footer: options.includes('include-footer') })
}

/** Returns HTML as Markdown. Its generated indentation marks lists and code; indentation typed with no-break spaces does not. */
function ofHtml(html: string): string {
  return plain(markdownOfHtml(html).replaceAll(/^[ \u00a0]*\u00a0[ \u00a0]*/gm, ''))
}

function plain(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').replaceAll('\u00a0', ' ')
}

/** Removes indentation, which does not mean code in plain-text mail. Source: docs/interface/notifications.md#mail-that-comes. */
function withoutCode(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^(?: {4}|\t)/.test(line) ? `   ${line.trimStart()}` : line))
    .join('\n')
}

/** Returns the sender as `Ann <ann@example.com>`. */
export function senderIn({ from }: Email): string {
  const { name, address } = onlyMailbox(from)
  const shown = name === '' ? address : `${name} <${address}>`
  return shown
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, MAX_SENDER_LENGTH)
    .toWellFormed()
}

export function senderAddress({ from }: Email): string {
  return onlyMailbox(from).address.toLowerCase()
}

function onlyMailbox(from: Address | undefined): { readonly name: string; readonly address: string } {
  const mailbox = from?.group ? from.group[0] : from
  return { name: mailbox?.name ?? '', address: mailbox?.address ?? '' }
}

/** Returns the named parts. Others are pictures of signatures, or data for programs. */
export function filesIn({ attachments }: Email): MailFile[] {
  return attachments.flatMap(({ filename, mimeType, content }) =>
    filename === null || filename === '' || typeof content === 'string'
      ? []
      : [{ name: filename, contentType: mimeType, content: new Uint8Array(content) }],
  )
}

/** Limits of a report, and of the reason kept from it, in UTF-16 units. */
const MAX_REPORT_LENGTH = 20_000
const MAX_REASON_LENGTH = 200

/** Returns the reason of a bounce (RFC 3464) for an address that does not exist; undefined for any other mail. */
export function bounceReason({ attachments }: Email): string | undefined {
  const report = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (!report || typeof report.content === 'string') return undefined
  const text = new TextDecoder().decode(new Uint8Array(report.content).subarray(0, MAX_REPORT_LENGTH))
  const fields = text.split(/\r?\n/)
  const fieldOf = (name: string) =>
    fields
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const status = fieldOf('status') ?? ''
  if (fieldOf('action')?.toLowerCase() !== 'failed' || !isRefusedAddress(status)) return undefined
  return (fieldOf('diagnostic-code') ?? status).slice(0, MAX_REASON_LENGTH)
}
