import { type AuthTexts, TEXTS } from '../../../texts/compiled/auth.ts'
import type { ApiError } from '../../core/errors.ts'
import { refusalLanguage, refusalText } from '../../core/refusal-text.ts'
import { MINUTE } from '../../core/time.ts'
import { type WrittenLanguage, writtenLanguage } from '../../core/written-languages.ts'

/** Limit of the browser languages considered; browsers name a handful. */
const LANGUAGES_LOOKED_AT = 20

/** Returns the texts in the first of the browser's languages that has any: before login, users have not chosen one. */
export function textsOfRequest(request: Pick<Request, 'headers'>): AuthTexts {
  return TEXTS[languageOfRequest(request) ?? 'en']
}

/** Returns the first of the browser's languages that has texts; undefined if none has. */
export function languageOfRequest({ headers }: Pick<Request, 'headers'>): WrittenLanguage | undefined {
  for (const entry of (headers.get('accept-language') ?? '').split(',', LANGUAGES_LOOKED_AT)) {
    const language = writtenLanguage(entry)
    if (language !== undefined) return language
  }
  return undefined
}

/** A refusal of the API, or of a page in its reader's language. */
export type Refused = Pick<ApiError, 'message'> & Partial<Pick<ApiError, 'status' | 'extra'>>

/** Returns a refusal in the reader's language, with what to do; the API's text if there is no other. */
export function refusalIn(texts: AuthTexts, { message, status, extra }: Refused): string {
  const wait = extra?.['retry-after']
  if (status === 429) return texts.tooMany(waitIn(texts, typeof wait === 'number' ? wait : 0))
  const known = keyOf(message)
  const refusals: Readonly<Record<string, string>> = texts.refusals
  return Object.hasOwn(refusals, known)
    ? refusals[known]!
    : refusalText(message, refusalLanguage(texts.language))
}

/** Returns the catalogue key of a refusal, without the address in it or the finding of an origin check. */
function keyOf(message: string): string {
  if (message.startsWith('CSRF error: ')) return 'This request comes from a page of another site.'
  return message.startsWith("Email '") && message.endsWith("' not allowed in this organization")
    ? 'Email not allowed in this organization'
    : message
}

/** Returns a waiting time in words. */
function waitIn({ language }: AuthTexts, seconds: number): string {
  const [unit, count] = seconds > 2 * MINUTE ? ['minute', seconds / MINUTE] : ['second', Math.max(seconds, 1)]
  const format = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(language, format).format(Math.ceil(count as number))
}
