import { RE2JS } from 're2js'
import type { Linkifier } from '../../state/wire.ts'

/**
 * Returns the text that a linkifier turns into this address, by its `reverse_template`; undefined if there is none. A file of its own, since
 * the library of patterns is loaded only where there is such a linkifier.
 */
export function textOfAddress(address: string, linkifiers: readonly Linkifier[]): string | undefined {
  for (const { pattern, reverse_template, url_template, alternative_url_templates } of linkifiers) {
    if (reverse_template === null) continue
    for (const template of [url_template, ...alternative_url_templates]) {
      const values = valuesIn(address, template)
      const text = values && filledIn(reverse_template, values)
      if (values && text && becomesLink(text, values, pattern)) return text
    }
  }
  return undefined
}

type Values = ReadonlyMap<string, string>

/** An expression of a URL template (RFC 6570) with one variable: `{name}`, or `{+name}` for what may have slashes. */
const EXPRESSION = /\{(\+?)(\w+)\}/

/** Returns the values of a template's variables in the address; undefined if it does not match, or the template has other expressions. */
function valuesIn(address: string, template: string): Values | undefined {
  // Literal texts, each followed by the two groups of an expression.
  const parts = template.split(EXPRESSION)
  const names = parts.filter((_, at) => at % 3 === 2)
  const literals = parts.filter((_, at) => at % 3 === 0)
  if (literals.some((literal) => /[{}]/.test(literal))) return undefined
  const source = parts.map((part, at) =>
    at % 3 === 0 ? RE2JS.quote(part) : at % 3 === 1 ? GROUPS[part as '' | '+'] : '',
  )
  // This library takes linear time, whatever pattern and text it is given.
  const matcher = RE2JS.compile(source.join('')).matcher(address)
  if (!matcher.matches()) return undefined
  const values = new Map<string, string>()
  for (const [at, name] of names.entries()) {
    const value = decoded(matcher.group(at + 1) ?? '')
    if (value === undefined || (values.get(name) ?? value) !== value) return undefined
    values.set(name, value)
  }
  return values
}

/** The characters that an expression matches; others are encoded, unless it has a `+`. */
const GROUPS = { '': '([\\w.~%-]+)', '+': '(.+)' } as const

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Returns the text with the values in place of `{name}`; `{{` and `}}` are braces. */
function filledIn(template: string, values: Values): string {
  return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (part, name: string | undefined) =>
    name === undefined ? part[0]! : (values.get(name) ?? ''),
  )
}

/** Whether the server makes exactly this address of the text again. */
function becomesLink(text: string, values: Values, pattern: string): boolean {
  const matcher = RE2JS.compile(pattern).matcher(text)
  return matcher.find() && [...values].every(([name, value]) => matcher.group(name) === value)
}
