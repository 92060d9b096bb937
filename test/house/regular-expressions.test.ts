import { join } from 'node:path'
import { analyse } from 'scslre'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'

interface Expression {
  readonly source: string
  readonly flags: string
}

/** Returns the regular expressions in a program, wherever they are. */
function expressionsIn(program: string): Expression[] {
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push({ source: pattern, flags })
    } else Object.values(node).forEach(visit)
  }
  visit(parseAst(program, { lang: 'ts' }))
  return found
}

/** Returns the expressions for which some text of twice the length takes more than twice as long. */
function slowOnes(program: string): string[] {
  return expressionsIn(program)
    .filter((expression) => analyse(expression).reports.length > 0)
    .map(({ source, flags }) => `/${source}/${flags}`)
}

describe('regular expressions', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))

  it('take time proportional to any text', () => {
    expect(
      [...tree].flatMap(([file, program]) => slowOnes(program).map((slow) => `${file}: ${slow}`)),
    ).toEqual([])
    expect([...tree.values()].flatMap(expressionsIn).length).toBeGreaterThan(100)
  })

  it('are literals, so that they can be checked', () => {
    const made = [...tree].filter(([, program]) => /\bRegExp\s*\(/.test(program)).map(([file]) => file)
    expect(made).toEqual([])
  })
})

describe('the check itself', () => {
  it.each(['/\\s+$/u', '/^#+[ #]*$/', '/^(\\s*)(.*?)(\\s*)$/s', '/(a|a)*b/', '/-+$/', '/(?:\\s+(.*))?$/'])(
    'finds %s',
    (literal) => {
      expect(slowOnes(`export const found = ${literal}`)).toHaveLength(1)
    },
  )

  it.each(['/^\\s+/u', '/^[a-z]+$/', '/[&<>]/g', '/`+/g'])('lets %s pass', (literal) => {
    expect(slowOnes(`export const fine = ${literal}`)).toEqual([])
  })
})
