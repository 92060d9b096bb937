import { type DoorTexts, ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'

const BY_LANGUAGE: ReadonlyMap<string, DoorTexts> = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
])
/** Browsers name a handful. */
const LANGUAGES_LOOKED_AT = 20

/** The texts in the first language of the browser that there are any in: who is not in yet has chosen none. */
export function textsOfRequest(request: Pick<Request, 'headers'>): DoorTexts {
  return BY_LANGUAGE.get(languageOfRequest(request) ?? '') ?? ENGLISH
}

/** The first language of the browser that there are any texts in: undefined where it asks for others alone. */
export function languageOfRequest({ headers }: Pick<Request, 'headers'>): string | undefined {
  for (const wish of (headers.get('accept-language') ?? '').split(',', LANGUAGES_LOOKED_AT)) {
    const [language = ''] = wish.trim().toLowerCase().split(/[-;]/, 1)
    if (BY_LANGUAGE.has(language)) return language
  }
  return undefined
}

/** The words of a refusal, in the reader's language as far as it is known there. */
export function refusalIn({ refusals }: DoorTexts, message: string): string {
  return refusals[message] ?? message
}
