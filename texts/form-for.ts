type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const known = new Map<string, Intl.PluralRules>()

/** Returns the form of a text for a number, by the plural rules of a language. */
export function formFor(language: string, count: number, forms: Forms): string {
  const rules = known.get(language) ?? new Intl.PluralRules(language)
  known.set(language, rules)
  return forms[rules.select(count)] ?? forms.other
}
