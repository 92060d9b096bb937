import { type DoorTexts, ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'

const BY_LANGUAGE: ReadonlyMap<string, DoorTexts> = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
])
/** Limit of languages of a browser that are looked at; browsers name a handful. */
const LANGUAGES_LOOKED_AT = 20

/**
 * Returns the texts in the first language of the browser that has any: people who are not logged in have
 * chosen none.
 */
export function textsOfRequest(request: Pick<Request, 'headers'>): DoorTexts {
  return BY_LANGUAGE.get(languageOfRequest(request) ?? '') ?? ENGLISH
}

/** Returns the first language of the browser that has texts; undefined if it asks only for others. */
export function languageOfRequest({ headers }: Pick<Request, 'headers'>): string | undefined {
  for (const entry of (headers.get('accept-language') ?? '').split(',', LANGUAGES_LOOKED_AT)) {
    const [language = ''] = entry.trim().toLowerCase().split(/[-;]/, 1)
    if (BY_LANGUAGE.has(language)) return language
  }
  return undefined
}

/** Returns a refusal in the reader's language if there is a translation. */
export function refusalIn({ refusals }: DoorTexts, message: string): string {
  return refusals[message] ?? message
}
