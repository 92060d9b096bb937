import type { ApiError } from '../../../core/errors.ts'
import { MINUTE } from '../../../core/time.ts'
import {
  type InEachLanguage,
  type WrittenLanguage,
  writtenLanguage,
} from '../../../core/written-languages.ts'
import { ARABIC } from './arabic.ts'
import { type DoorTexts, ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import { SPANISH } from './spanish.ts'

/** The texts of the pages that people meet before they are logged in, in every language. */
const DOOR_TEXTS: InEachLanguage<DoorTexts> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
}
/** Limit of languages of a browser that are looked at; browsers name a handful. */
const LANGUAGES_LOOKED_AT = 20

/**
 * Returns the texts in the first language of the browser that has any: people who are not logged in have
 * chosen none.
 */
export function textsOfRequest(request: Pick<Request, 'headers'>): DoorTexts {
  return DOOR_TEXTS[languageOfRequest(request) ?? 'en']
}

/** Returns the first language of the browser that has texts; undefined if it asks only for others. */
export function languageOfRequest({ headers }: Pick<Request, 'headers'>): WrittenLanguage | undefined {
  for (const entry of (headers.get('accept-language') ?? '').split(',', LANGUAGES_LOOKED_AT)) {
    const language = writtenLanguage(entry)
    if (language !== undefined) return language
  }
  return undefined
}

/** A refusal of the API, or one of a page in its reader's words. */
export type Refused = Pick<ApiError, 'message'> & Partial<Pick<ApiError, 'status' | 'extra'>>

/** Returns a refusal in the reader's words, with what to do; that of the API where a page has no other. */
export function refusalIn(texts: DoorTexts, { message, status, extra }: Refused): string {
  const wait = extra?.['retry-after']
  if (status === 429) return texts.tooMany(waitIn(texts, typeof wait === 'number' ? wait : 0))
  const known = keyOf(message)
  const { refusals }: { refusals: Readonly<Record<string, string>> } = texts
  return Object.hasOwn(refusals, known) ? refusals[known]! : message
}

/** Returns the key of a refusal in the catalogues: without the address that it names, or what a check of origins has found. */
function keyOf(message: string): string {
  if (message.startsWith('CSRF error: ')) return 'This request comes from a page of another site.'
  return message.startsWith("Email '") && message.endsWith("' not allowed in this organization")
    ? 'Email not allowed in this organization'
    : message
}

/** Returns how long somebody has to wait, in words. */
function waitIn({ language }: DoorTexts, seconds: number): string {
  const [unit, count] = seconds > 2 * MINUTE ? ['minute', seconds / MINUTE] : ['second', Math.max(seconds, 1)]
  const format = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(language, format).format(Math.ceil(count as number))
}
