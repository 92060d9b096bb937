import { cutTopic } from '../messages/text/compose.ts'

/** Limit of a subject that is read, in UTF-16 units. */
const MAX_SUBJECT_LENGTH = 1_000
/** Marks of replies and forwarded mail, in the languages of common programs. */
const MARK =
  /^\s{0,10}\[?\s{0,10}(?:re|aw|antw|sv|vs|fwd|fw|wg|tr|rv|rif|enc)\s{0,10}(?:\[\d{1,4}\]|\(\d{1,4}\))?\s{0,10}[:：]/iu
const FORWARDED = /^\s{0,10}\[?\s{0,10}(?:fwd|fw|wg)\s{0,10}[:：]/iu

const NO_SUBJECT = 'Email with no subject'

/** Returns the topic for a mail. Source: docs/interface/notifications.md#mail-that-comes. */
export function topicOfSubject(subject: string): string {
  let rest = printable(subject)
  for (let mark = MARK.exec(rest); mark; mark = MARK.exec(rest)) {
    const isBracketed = mark[0].includes('[') && !/\[\d/.test(mark[0])
    rest = rest.slice(mark[0].length)
    if (isBracketed && rest.endsWith(']')) rest = rest.slice(0, -1)
  }
  rest = rest.trim()
  return rest === '' ? NO_SUBJECT : cutTopic(rest)
}

/** Whether the subject marks a reply or a forwarded mail. */
export function hasMark(subject: string): boolean {
  return MARK.test(printable(subject))
}

/** Whether a mail is forwarded: then the quotation is its content. */
export function isForwarded(subject: string): boolean {
  return FORWARDED.test(printable(subject))
}

function printable(subject: string): string {
  return subject
    .slice(0, MAX_SUBJECT_LENGTH)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .trim()
}
