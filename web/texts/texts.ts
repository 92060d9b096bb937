import { texts as en } from '../../texts/compiled/en/page.ts'
import type { PageTexts } from '../../texts/compiled/page.ts'
import { type Catalogues, LANGUAGES } from './languages.ts'
import { chooseLocale, locale } from './locale.ts'

export { locale } from './locale.ts'

/** English, until `chooseLanguage` has been called, before anything is drawn. */
export let t: PageTexts = en
let tag = 'en'
let lists: Intl.ListFormat | undefined

/** Codes and names of the languages that there are, for lists to choose from. */
export const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([code, { name }]) => [code, name] as const)

/** Chooses the first language that has texts. A tag like `de-AT` also stands for `de`. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  tag = wanted.find((language) => Object.hasOwn(LANGUAGES, languageOf(language))) ?? 'en'
  t = (await translated('page')) ?? en
  const own = navigator.languages.find((one) => languageOf(one) === languageOf(tag))
  chooseLocale(new Intl.Locale(own ?? tag, { numberingSystem: 'latn' }).toString())
  lists = undefined
  const root = document.documentElement
  root.lang = languageOf(tag)
  const tried = new URLSearchParams(location.search).get('dir')
  root.dir = tried === 'rtl' || LANGUAGES[root.lang]!.isRightToLeft ? 'rtl' : 'ltr'
}

/** Loads a catalogue in the page's language; undefined in English, which its readers have. */
export async function translated<Name extends keyof Catalogues>(
  name: Name,
): Promise<Catalogues[Name] | undefined> {
  return await LANGUAGES[languageOf(tag)]!.load?.[name]()
}

function languageOf(language: string): string {
  return language.split('-')[0]!.toLowerCase()
}

/** Returns `Ada, Tomás and Jun`. */
export function listed(names: readonly string[]): string {
  lists ??= new Intl.ListFormat(locale())
  return lists.format(names)
}
