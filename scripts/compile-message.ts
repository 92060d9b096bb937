/** Compiles an ICU message to TypeScript: a text, or a function of its parameters. */
import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  type SelectElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser'

/** How the messages of an area become code. */
export interface Style {
  readonly language: string
  /** In the page, `#` and `{count, number}` are grouped: `12,345`. On the server they are digits. */
  readonly isGrouped: boolean
  /** A message with tags becomes `Html`, whose parameters are escaped. Elsewhere, `<` is a sign like others. */
  readonly hasTags: boolean
  /** Code that is the same in each language, by the name that stands for it. */
  readonly constants: Readonly<Record<string, string>>
}

/** What a message does with a parameter: shows it, counts by it, asks whether it is true, or whether it is there. */
export type Use = 'shown' | 'counted' | 'asked' | 'absent'

export interface Message {
  /** An expression, in which the parameters are variables. */
  readonly code: string
  /** What is done with each parameter. */
  readonly uses: ReadonlyMap<string, ReadonlySet<Use>>
  readonly isHtml: boolean
}

const PARAMETER = /^[a-z][A-Za-z]*$/
/** The keyword of a select for a parameter that is absent or empty. */
const ABSENT = 'none'

/** @throws Error that says what is wrong with the message */
export function compileMessage(text: string, style: Style): Message {
  const elements = parse(text, { ignoreTag: !style.hasTags, shouldParseSkeletons: false })
  const uses = new Map<string, Set<Use>>()
  /** How deep in choices. */
  let depth = 0

  const use = (name: string, as: Use) => {
    if (!PARAMETER.test(name)) throw new Error(`{${name}} is no name of a parameter`)
    uses.set(name, (uses.get(name) ?? new Set()).add(as))
    return name
  }
  const grouped = (name: string) => (style.isGrouped ? `grouped(${name})` : name)

  /** Returns what stands between backticks. `count`: what `#` is. */
  const inTemplate = (list: readonly MessageFormatElement[], count = ''): string =>
    list.map((element) => part(element, count)).join('')

  const part = (element: MessageFormatElement, count: string): string => {
    switch (element.type) {
      case TYPE.literal:
        return inBackticks(element.value)
      case TYPE.argument:
        if (Object.hasOwn(style.constants, element.value)) return inBackticks(style.constants[element.value]!)
        return `\${${use(element.value, 'shown')}}`
      case TYPE.number:
        if (element.style) throw new Error(`{${element.value}, number} has a style`)
        return `\${${grouped(use(element.value, 'counted'))}}`
      case TYPE.pound:
        return count
      case TYPE.tag:
        if (depth) throw new Error('a tag stands inside a choice')
        return `<${element.value}>${inTemplate(element.children, count)}</${element.value}>`
      case TYPE.plural:
      case TYPE.select:
        return `\${${choice(element, count)}}`
      default:
        throw new Error('dates and times come as texts')
    }
  }
  /** Returns an expression. */
  const textOf = (list: readonly MessageFormatElement[], count = ''): string => {
    depth++
    const [first] = list
    const isChoice = list.length === 1 && (first?.type === TYPE.plural || first?.type === TYPE.select)
    const code = isChoice ? choice(first, count) : `\`${inTemplate(list, count)}\``
    depth--
    return code
  }
  const choice = (element: PluralElement | SelectElement, count: string) =>
    element.type === TYPE.plural ? plural(element) : select(element, count)

  const plural = ({ value, options, offset, pluralType }: PluralElement): string => {
    if (offset !== 0 || pluralType !== 'cardinal') throw new Error('only plurals without offset are known')
    const name = use(value, 'counted')
    const number = `\${${grouped(name)}}`
    const { other, ...forms } = options
    const rules = new Intl.PluralRules(style.language)
    const known = rules.resolvedOptions().pluralCategories as readonly string[]
    const exact = Object.keys(forms).filter((key) => key.startsWith('='))
    const foreign = Object.keys(forms).filter((key) => !exact.includes(key) && !known.includes(key))
    if (foreign.length > 0) throw new Error(`${style.language} has no plural ${foreign.join(', ')}`)
    const named = Object.keys(forms).filter((key) => !exact.includes(key))
    const rest = textOf(other!.value, number)
    const chosen = byCategory(
      named,
      name,
      rules,
      (key, count = number) => textOf(forms[key]!.value, count),
      rest,
    )
    return exact.reduceRight(
      (code, key) => `${name} === ${key.slice(1)} ? ${textOf(forms[key]!.value, key.slice(1))} : ${code}`,
      chosen,
    )
  }

  const select = ({ value, options }: SelectElement, count: string): string => {
    const { other, ...forms } = options
    const keys = Object.keys(forms)
    const rest = textOf(other!.value, count)
    if (keys.length === 1 && keys[0] === 'true')
      return `${use(value, 'asked')} ? ${textOf(forms.true!.value, count)} : ${rest}`
    if (keys.length === 1 && keys[0] === ABSENT)
      return `${use(value, 'absent')} ? ${rest} : ${textOf(forms[ABSENT]!.value, count)}`
    throw new Error(`a select has \`other\` and either \`true\` or \`${ABSENT}\``)
  }

  const isRich = elements.some(({ type }) => type === TYPE.tag)
  const body = isRich ? `html\`${inTemplate(elements)}\`` : textOf(elements)
  return { code: body, uses, isHtml: isRich }
}

/** Numbers by which the rule for a category is found. Counts are neither negative nor broken. */
const TRIED = Array.from({ length: 1_000 }, (_, number) => number)

/** Returns the expression that chooses by the plural rules: a comparison where the rule is one, as in most languages. */
function byCategory(
  categories: readonly string[],
  name: string,
  rules: Intl.PluralRules,
  formOf: (category: string, count?: string) => string,
  other: string,
): string {
  if (categories.length === 0) return other
  const ones = TRIED.filter((number) => rules.select(number) === 'one')
  if (categories.length === 1 && categories[0] === 'one') {
    if (ones.join() === '1') return `${name} === 1 ? ${formOf('one', '1')} : ${other}`
    if (ones.join() === '0,1') return `${name} < 2 ? ${formOf('one')} : ${other}`
  }
  const forms = categories.map((category) => `${category}: ${formOf(category)}`)
  return `formFor('${rules.resolvedOptions().locale}', ${name}, { ${forms.join(', ')}, other: ${other} })`
}

function inBackticks(text: string): string {
  return text.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\n', '\\n')
}
