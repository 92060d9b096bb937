/** Limit of the lines above a quotation that say whose it is, and of the characters of each that are looked at. */
const MAX_HEAD_LINES = 6
const LOOKED_AT = 400
/** Limit of the lines that are looked at more closely, since they may be above a quotation: more than the author's own words have. */
const MAX_CANDIDATES = 200
/** Characters of a line from which on a program may have broken it: none breaks shorter ones. */
const WRAPPED_FROM = 55

/** `whole`: there is a quotation, but where it begins or ends is doubtful, so nothing is left out. Undefined: there seems to be none. */
export type Found = { readonly from: number; readonly to: number } | 'whole' | undefined

/**
 * Finds the quotation of a mail by its structure, whatever the language: a few lines that end in a colon, with an address, or with a name and a
 * date, directly above marked lines; or, above unmarked ones, with an address in brackets and a date; or the fields of a mail's head.
 */
export function findQuotation(lines: readonly string[]): Found {
  let candidates = 0
  for (let at = 0; at < lines.length; at++) {
    if (isMarked(lines[at]!)) {
      const head = markedHead(lines, at)
      if (head) return quotationAt(lines, at, at)
      // Lines that the author quotes are followed by others.
      while (at + 1 < lines.length && isMarked(lines[at + 1]!)) at++
      continue
    }
    if (!endsInColon(lines[at]!) && !isField(lines[at]!)) continue
    candidates += 1
    if (candidates > MAX_CANDIDATES) return 'whole'
    if (isHeadOfMail(lines, at)) return unmarkedAt(lines, at)
    if (!endsInColon(lines[at]!)) continue
    const next = nextWritten(lines, at + 1)
    if (next === lines.length) continue
    const begins = headAbove(lines, at)
    if (isMarked(lines[next]!)) return begins === undefined ? 'whole' : quotationAt(lines, begins, next)
    if (begins === undefined) continue
    const head = joined(lines, begins, at)
    if (hasAddressInBrackets(head) && hasDate(head)) return unmarkedAt(lines, begins)
  }
  return undefined
}

/** Returns a quotation of marked lines from `marked` on, with the lines above it from `begins` on. */
function quotationAt(lines: readonly string[], begins: number, marked: number): Found {
  let to = marked
  for (let at = marked; at < lines.length && (isMarked(lines[at]!) || isBlank(lines[at]!)); at++) {
    if (isMarked(lines[at]!)) to = at + 1
  }
  // Answers between marked lines would lose what they answer.
  return lines.slice(to).some(isMarked) ? 'whole' : { from: begins, to }
}

/** Returns a quotation of unmarked lines, which reaches to the end. Without words above it, the author's own may be within it. */
function unmarkedAt(lines: readonly string[], begins: number): Found {
  return lines.slice(0, begins).some((line) => !isBlank(line) && !isRule(line))
    ? { from: begins, to: lines.length }
    : 'whole'
}

/** Returns the first of the lines that say whose quotation follows, the last being `at`; undefined if they do not say it. */
function headAbove(lines: readonly string[], at: number): number | undefined {
  let begins = at
  for (;;) {
    const head = joined(lines, begins, at)
    const isComplete = hasDate(head) && hasAddress(head)
    const above = lines[begins - 1]
    const isAlone = above === undefined || isBlank(above) || isMarked(above) || isRule(above)
    const isPart =
      !isAlone && (goesOn(above, lines[begins]!, isComplete) || (!hasDate(head) && isWhen(above)))
    if (!isPart) {
      return hasAddress(head) || (hasDate(head) && hasName(head)) ? begins : undefined
    }
    if (at - begins + 1 === MAX_HEAD_LINES) return undefined
    begins -= 1
  }
}

/** Whether a program may have broken a line before `next`, rather than the author have ended it. */
function goesOn(line: string, next: string, isComplete: boolean): boolean {
  const text = line.trim()
  if (/[<([]$/.test(text)) return true
  const isLong = text.length + 1 + next.trim().split(/\s/, 1)[0]!.length > WRAPPED_FROM
  if (!isLong) return false
  // A whole sentence ends before whole words about a quotation.
  return !(isComplete && /[.!?…。！？:：]$/.test(text))
}

/** Whether a line says when a mail was written, as some programs do in a line of its own: `On Nov 21, 2026 at 11:02`. A sentence does not. */
function isWhen(line: string): boolean {
  const text = line.trim()
  if (text.length > WRAPPED_FROM || /[.!?…。！？:：]$/.test(text)) return false
  const hasDay = /\p{Nd}{4}|(?:\p{Nd}{1,2}[./-]\s?){2}\p{Nd}{2}/u.test(text)
  return hasDay && /\p{Nd}:\p{Nd}{2}/u.test(text)
}

/** Whether the first marked lines say whose quotation it is, as some programs mark that too. */
function markedHead(lines: readonly string[], first: number): boolean {
  let head = ''
  for (let at = first; at < Math.min(lines.length, first + MAX_HEAD_LINES); at++) {
    if (!isMarked(lines[at]!)) break
    const text = lines[at]!.replace(/^[\s>]+/, '').slice(0, LOOKED_AT)
    if (text.trim() === '' && head === '') continue
    head += ` ${text}`
    if (endsInColon(text)) return (hasAddress(head) || hasName(head)) && hasDate(head)
    if (text.trim() === '') break
  }
  return false
}

/** Whether the fields of a mail begin here: at least three, the first with an address, one with a date. */
function isHeadOfMail(lines: readonly string[], first: number): boolean {
  let count = 0
  let isDated = false
  for (let at = first; at < lines.length && at < first + MAX_HEAD_LINES; at++) {
    const line = lines[at]!.slice(0, LOOKED_AT)
    if (!isField(line)) break
    if (count === 0 && !hasAddressInBrackets(line)) return false
    isDated ||= count > 0 && hasDate(line)
    count += 1
  }
  return count >= 3 && isDated
}

/** Whether a line is one of a mail's fields, also an emphasised one: `**From:** Ann`. */
function isField(line: string): boolean {
  return /^\p{L}[\p{L} .-]{0,24}[:：] ?\S/u.test(line.slice(0, LOOKED_AT).replaceAll('*', '').trim())
}

function joined(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to + 1)
    .map((line) => line.trim().slice(0, LOOKED_AT))
    .join(' ')
}

function nextWritten(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at]!)) at++
  return at
}

export function isMarked(line: string): boolean {
  return /^ {0,8}>/.test(line)
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

/** Whether a line is drawn, as some programs do above a quotation, with or without words: `----- Original Message -----`. */
export function isRule(line: string): boolean {
  return /^[-_]{3,}(?:[^-_]{1,60}[-_]{3,})?$/.test(line.trim())
}

/** Whether a line ends in a colon, be it full-width, emphasised, or with a blank before it. */
export function endsInColon(line: string): boolean {
  const text = line.slice(-LOOKED_AT).trimEnd()
  let end = text.length
  while (end > 0 && '*_ \u200b'.includes(text[end - 1]!)) end--
  return end > 0 && ':：'.includes(text[end - 1]!)
}

function hasAddress(text: string): boolean {
  return /[^\s<>()[\]@:]@[\p{L}\d-]{1,63}\.[\p{L}\d]/u.test(text)
}

/** Whether an address stands behind a name, as in `Ann <ann@example.com>`. It may be broken after its bracket. */
function hasAddressInBrackets(text: string): boolean {
  return /[<([]\s?(?:mailto:)?[^\s<>()[\]@]{1,100}@[\p{L}\d-]{1,63}\.[\p{L}\d]/u.test(text)
}

function hasName(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

/** Whether a text has a date or a time of day, in any digits and order: `21.11.26`, `Nov 21, 2026`, `2026年11月21日`, `11:02`. */
function hasDate(text: string): boolean {
  const numbers = text.match(/\p{Nd}{1,4}/gu) ?? []
  return (
    /\p{Nd}{1,2}[:.h]\p{Nd}{2}/u.test(text) ||
    /\p{Nd}{1,2}[./-]\s?\p{Nd}{1,2}/u.test(text) ||
    (numbers.some((digits) => digits.length === 4) && numbers.some((digits) => digits.length <= 2))
  )
}
