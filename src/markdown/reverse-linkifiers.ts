import { RE2JS } from 're2js'
import { templateVariables } from './linkifiers.ts'

/** How clients convert a pasted address back to the text that a linkifier links. */
export interface ReverseLinkifier {
  /** A text that the pattern matches; null for none. */
  readonly exampleInput: string | null
  /** The text with `{group}` for groups of the pattern, and `{{`, `}}` for braces; null for none. */
  readonly reverseTemplate: string | null
  /** Further URL templates of addresses to convert back. */
  readonly alternativeUrlTemplates: readonly string[]
}

/**
 * Returns the error in the reverse conversion of a usable linkifier, in the API's words (docs/interface/organization.md#linkifiers);
 * undefined if it is valid.
 */
export function reverseError(pattern: string, reverse: ReverseLinkifier): string | undefined {
  const { exampleInput, reverseTemplate, alternativeUrlTemplates } = reverse
  if (reverseTemplate !== null && exampleInput === null) {
    return 'Example text is required when auto-conversion field is set.'
  }
  const regex = RE2JS.compile(pattern)
  const groups = Object.keys(regex.namedGroups())
  for (const template of alternativeUrlTemplates) {
    const missing = templateVariables(template)?.find((name) => !groups.includes(name))
    if (missing !== undefined)
      return `Group '${missing}' in URL template is not present in linkifier pattern.`
  }
  if (exampleInput === null) return undefined
  const matcher = regex.matcher(exampleInput)
  if (!matcher.find()) return 'Example input does not match the linkifier pattern.'
  if (reverseTemplate === null) return undefined
  const text = filledIn(reverseTemplate, (name) =>
    groups.includes(name) ? (matcher.group(name) ?? '') : undefined,
  )
  if ('error' in text) return text.error
  return text.value === exampleInput ? undefined : 'Example text does not match auto-conversion field.'
}

/** Returns the template with groups in place of their names. `groupOf` returns undefined for a group that does not exist. */
function filledIn(
  template: string,
  groupOf: (name: string) => string | undefined,
): { readonly value: string } | { readonly error: string } {
  let value = ''
  for (let at = 0; at < template.length; ) {
    const brace = template[at]!
    if ((brace === '{' || brace === '}') && template[at + 1] === brace) {
      value += brace
      at += 2
    } else if (brace === '{') {
      const end = template.indexOf('}', at)
      if (end === -1) return { error: "Invalid auto-conversion field: missing '}' character." }
      const name = template.slice(at + 1, end)
      if (name === '') return { error: 'Invalid auto-conversion field: empty field name.' }
      const group = groupOf(name)
      if (group === undefined) {
        return { error: `Group '${name}' in auto-conversion field is not present in linkifier pattern.` }
      }
      value += group
      at = end + 1
    } else {
      value += brace
      at += 1
    }
  }
  return { value }
}
