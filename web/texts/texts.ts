import { en } from './en.ts'

/**
 * Every text on the screen. Texts with values are functions, so that each language has its own order and
 * plurals.
 */
export type Texts = typeof en

/** English, until `chooseLanguage` has been called, before anything is drawn. */
export let t: Texts = en
let tag = 'en'

/** Each language is a file of its own, loaded by its readers. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
}

export const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' }

/**
 * Languages that are read from right to left, for when one of them has texts; `?dir=rtl` tries it with any.
 */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])

/** Chooses the first language that has texts. A tag like `de-AT` also stands for `de`. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const found = wanted.find((language) => languageOf(language) in LANGUAGES) ?? 'en'
  t = await LANGUAGES[languageOf(found)]!()
  tag = found
  const root = document.documentElement
  root.lang = languageOf(found)
  const tried = new URLSearchParams(location.search).get('dir')
  root.dir = tried === 'rtl' || RIGHT_TO_LEFT.has(languageOf(found)) ? 'rtl' : 'ltr'
}

function languageOf(language: string): string {
  return language.split('-')[0]!.toLowerCase()
}

/**
 * Returns the locale for numbers, dates and lists: the browser's own variant of the language, if it is one.
 */
export function locale(): string {
  const own = navigator.languages.find((one) => languageOf(one) === languageOf(tag))
  return own ?? tag
}

/** Returns `Ada, Tomás and Jun`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(names)
}
