const languageNames = new Intl.DisplayNames(['en'], {
  type: 'language',
  languageDisplay: 'standard',
  fallback: 'none',
})

/** Returns the English name of a language code such as `de` or `pt-br`; undefined when there is none. */
export function languageName(code: string): string | undefined {
  try {
    return languageNames.of(code)
  } catch {
    // The text does not have the form of a language code.
    return undefined
  }
}
