import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { fromJson } from '../../scripts/json.ts'
import { PROJECT, TEXTS } from '../../scripts/project.ts'
import { QUOTAS } from '../../src/core/quotas.ts'
import { isSyntax, type Syntax } from './syntax.ts'

const LANGUAGES = readdirSync(TEXTS).filter((name) => /^[a-z]{2}$/.test(name) && name !== 'en')

type Catalogue = Readonly<Record<string, string>>

function catalogueIn(language: string): Catalogue {
  return fromJson(readFileSync(join(TEXTS, language, 'refusals.json'), 'utf8')) as Catalogue
}

/** A text of the source: the code of its parts that vary lies between its fixed ones. */
interface SourceText {
  readonly fixed: readonly string[]
  readonly open: readonly string[]
}

const SOURCE = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => textsOf(name, readFileSync(join(PROJECT, 'src', name), 'utf8')))
const WORDS = new Set(SOURCE.filter(({ open }) => open.length === 0).map(({ fixed }) => fixed[0]!))
/** Those with enough words of their own to tell which they are. */
const SENTENCES = SOURCE.filter(({ fixed }) => fixed.join('').replaceAll(/[^a-z]/gi, '').length >= 6)

function textsOf(name: string, source: string): SourceText[] {
  const found: SourceText[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (!isSyntax(node)) return
    const text = textOf(node, source)
    if (text) found.push(text)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(name, source).program)
  return found
}

function textOf(node: Syntax, source: string): SourceText | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return { fixed: [node.value], open: [] }
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as readonly { value: { cooked: string } }[]
  const expressions = node.expressions as readonly { start: number; end: number }[]
  return {
    fixed: quasis.map(({ value }) => value.cooked),
    open: expressions.map(({ start, end }) => source.slice(start, end)),
  }
}

/** What the source calls parts that are words of its own: only these are `{what}`, whose value is translated as well. */
const OWN_WORDS = new Set(['what', 'problem'])

/** Whether a key is this text of the source, with a placeholder or another text of the source for each part that varies. */
function isFrom(key: string, { fixed, open }: SourceText): boolean {
  if (!key.startsWith(fixed[0]!)) return false
  let at = fixed[0]!.length
  for (const [index, code] of open.entries()) {
    const next = fixed[index + 1]!
    const end = index + 1 === open.length ? key.length - next.length : key.indexOf(next, at)
    if (end < at || !key.startsWith(next, end)) return false
    const part = key.slice(at, end)
    const isPlaceholder = /^\{\w+\}$/.test(part)
    if (isPlaceholder ? part === '{what}' && !OWN_WORDS.has(code) : !isOfSource(part)) return false
    at = end + next.length
  }
  return at === key.length
}

function isOfSource(text: string): boolean {
  return WORDS.has(text) || SENTENCES.some((one) => isFrom(text, one))
}

function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted()
}

const keys = Object.keys(catalogueIn('de'))

describe('the refusals that are translated', () => {
  it('are texts of the source', () => {
    expect(keys.length).toBeGreaterThan(300)
    expect(keys.filter((key) => !isOfSource(key))).toEqual([])
  })

  it('have the word of every quota', () => {
    const words = Object.values(QUOTAS).map(({ what }) => what)
    expect(words.filter((word) => !keys.includes(word))).toEqual([])
  })

  it('have no two placeholders without a text between them', () => {
    expect(keys.filter((key) => key.includes('}{'))).toEqual([])
  })
})

describe.each(LANGUAGES)('the refusals in %s', (language) => {
  const catalogue = catalogueIn(language)

  it('are those of the other languages, in the same order', () => {
    expect(Object.keys(catalogue)).toEqual(keys)
  })

  it('have the placeholders of the English ones', () => {
    for (const [english, text] of Object.entries(catalogue)) {
      expect(placeholdersIn(text), english).toEqual(placeholdersIn(english))
    }
  })

  it('say a thing of their own', () => {
    const same = Object.entries(catalogue).filter(
      ([english, text]) => text === english && english.includes(' '),
    )
    expect(same).toEqual([])
    expect(Object.values(catalogue).filter((text) => text.trim() === '')).toEqual([])
  })

  it('isolate values if the text runs from right to left', () => {
    if (language !== 'ar') return
    const bare = Object.values(catalogue).filter((text) => /(?<!\u2068[^\u2069]*)\{/.test(text))
    expect(bare).toEqual([])
  })
})
