import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { isSyntax, nameOf, type Syntax } from './syntax.ts'

/** The maximum number of words that fits into a line of a list of failures. */
const WORDS = 15

interface Title {
  readonly file: string
  /** The title with those of the groups around it, outermost first. */
  readonly path: readonly string[]
}

const TITLES = readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => titlesIn(`test/${name}`))

/** Returns the titles written in a file; tests that a loop makes of one title count once. */
function titlesIn(file: string): Title[] {
  const source = readFileSync(join(PROJECT, file), 'utf8')
  const titles: Title[] = []
  const visit = (node: unknown, groups: readonly string[]) => {
    if (Array.isArray(node)) for (const one of node) visit(one, groups)
    if (!isSyntax(node)) return
    let inside = groups
    const [first, ...others] = node.type === 'CallExpression' ? (node.arguments as Syntax[]) : []
    const title = first && others.length > 0 ? textOf(first) : undefined
    if (title !== undefined) {
      const called = nameOf(node.callee as Syntax)
      if (called === 'describe') inside = [...groups, title]
      if (called === 'it' || called === 'test') titles.push({ file, path: [...groups, title] })
    }
    for (const child of Object.values(node)) visit(child, inside)
  }
  visit(parseSync(file, source).program, [])
  return titles
}

/** Returns a text as it is written, with X for each inserted part. */
function textOf(node: Syntax): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('X')
}

describe('a test’s title', () => {
  it('is found in every form in which tests are written', () => {
    expect(TITLES.length).toBeGreaterThan(3_000)
    expect(TITLES.map(({ path }) => path.join(' '))).toContain('a test’s title has at most fifteen words')
  })

  it('has at most fifteen words', () => {
    const long = TITLES.filter(({ path }) => path.at(-1)!.trim().split(/\s+/).length > WORDS)
    expect(long.map(({ file, path }) => `${file}: ${path.at(-1)}`)).toEqual([])
  })

  it('is unique in its file, with its groups’', () => {
    const seen = new Set<string>()
    const again = TITLES.map(({ file, path }) => `${file}: ${path.join(' > ')}`).filter((title) => {
      const is = seen.has(title)
      seen.add(title)
      return is
    })
    expect(again).toEqual([])
  })
})
