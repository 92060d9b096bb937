import { grouped } from './locale.ts'

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/**
 * Returns a function that chooses the form of a noun for a number, by the plural rules of the language. `#` in
 * the form stands for the number: `{ one: '# message', other: '# messages' }`.
 */
export function counter(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', grouped(count))
}
