import ar from '../../texts/ar/refusals.json' with { type: 'json' }
import de from '../../texts/de/refusals.json' with { type: 'json' }
import es from '../../texts/es/refusals.json' with { type: 'json' }
import fr from '../../texts/fr/refusals.json' with { type: 'json' }
import ja from '../../texts/ja/refusals.json' with { type: 'json' }
import { type WrittenLanguage, writtenLanguage } from './written-languages.ts'

/** The languages other than English, in which refusals are written. */
export type RefusalLanguage = Exclude<WrittenLanguage, 'en'>

/**
 * The refusals that people meet in clients. Keys are the English texts of the source, with `{name}` for each part that varies. A text
 * that is missing here stays English: only programmers meet it.
 */
const CATALOGUES: Readonly<Record<RefusalLanguage, Readonly<Record<string, string>>>> = { ar, de, es, fr, ja }

/** A placeholder whose value is one of the source's own words, such as `drafts`: it is translated as well. */
const OWN_WORD = 'what'

const PLACEHOLDER = /\{(\w+)\}/g

/** The keys with values, the same in every language. In `parts` their texts alternate with the names of placeholders. */
const TEMPLATES = Object.keys(de)
  .filter((key) => key.includes('{'))
  .map((key) => ({ key, parts: key.split(PLACEHOLDER) }))

/** Returns the language for refusals to a user with this `default_language`; undefined for English. */
export function refusalLanguage(code: string): RefusalLanguage | undefined {
  const language = writtenLanguage(code)
  return language === 'en' ? undefined : language
}

/** Returns the English text of a refusal in another language; as it is, if the language has no text for it. */
export function refusalText(text: string, language: RefusalLanguage | undefined): string {
  if (language === undefined) return text
  const catalogue = CATALOGUES[language]
  if (Object.hasOwn(catalogue, text)) return catalogue[text]!
  const found = closestTemplate(text)
  if (!found) return text
  return catalogue[found.key]!.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = found.values.get(name) ?? ''
    return name === OWN_WORD && Object.hasOwn(catalogue, value) ? catalogue[value]! : value
  })
}

type Values = ReadonlyMap<string, string>

/** Returns the key that a text was made from, with its values: of several that fit, the one with the shortest values. */
function closestTemplate(text: string): { readonly key: string; readonly values: Values } | undefined {
  let closest: { readonly key: string; readonly values: Values; readonly open: number } | undefined
  for (const { key, parts } of TEMPLATES) {
    const values = valuesIn(text, parts)
    if (!values) continue
    const open = [...values.values()].join('').length
    if (!closest || open < closest.open) closest = { key, values, open }
  }
  return closest
}

/** Returns the values with which a template is this text; undefined if there are none. */
function valuesIn(text: string, [first, ...rest]: readonly string[]): Values | undefined {
  if (!text.startsWith(first!)) return undefined
  const values = new Map<string, string>()
  let at = first!.length
  for (let index = 0; index < rest.length; index += 2) {
    const [name, next] = [rest[index]!, rest[index + 1]!]
    const isLast = index + 2 === rest.length
    const end = isLast ? text.length - next.length : text.indexOf(next, at)
    if (end < at || !text.startsWith(next, end)) return undefined
    values.set(name, text.slice(at, end))
    at = end + next.length
  }
  return values
}
