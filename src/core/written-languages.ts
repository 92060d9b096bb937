/**
 * The languages in which the server writes: its pages for people who are not logged in, and its mails. The page has the same ones
 * (web/texts/languages.ts).
 */
const WRITTEN = ['ar', 'de', 'en', 'es', 'fr', 'ja'] as const

export type WrittenLanguage = (typeof WRITTEN)[number]

/** Texts in each language. */
export type InEachLanguage<Texts> = Readonly<Record<WrittenLanguage, Texts>>

/** Returns the language for a code such as `fr-CA`; undefined if nothing is written in it. */
export function writtenLanguage(code: string): WrittenLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_;]/, 1)
  return WRITTEN.find((one) => one === language)
}

/** Returns the direction of a language's writing, as `dir` in HTML. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return writtenLanguage(language) === 'ar' ? 'rtl' : 'ltr'
}

/** Returns a name or an address that keeps its own direction in a sentence of the other one. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
