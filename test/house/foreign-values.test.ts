import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'
import { isSyntax, type Syntax } from './syntax.ts'

/** Files that may do what is not allowed elsewhere: what they are given has a limit. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'the value behind a payload': ['payload.ts'],
  // Their own headers; the fields of a form, for its digest.
  'a value as JSON': ['short-json.ts', 'netlify.ts', 'read-delivery.ts'],
  'a payload of its own': ['payload.ts'],
  'a post': ['read-delivery.ts', 'netlify.ts'],
  'each character of a text': [],
}

/** Returns what a syntax node does with a foreign value besides reading it through `Payload`. */
function deedOf(node: Syntax): string | undefined {
  const properties = node.properties as readonly Syntax[] | undefined
  const { object, property, callee } = node as Readonly<Record<string, Syntax | undefined>>
  if (node.type === 'MemberExpression' && property?.name === 'raw') return 'the value behind a payload'
  if (
    node.type === 'ObjectPattern' &&
    properties?.some(({ key }) => (key as Syntax | undefined)?.name === 'raw')
  )
    return 'the value behind a payload'
  if (node.type === 'MemberExpression' && object?.name === 'JSON' && property?.name === 'stringify')
    return 'a value as JSON'
  if (node.type === 'NewExpression' && callee?.name === 'Payload') return 'a payload of its own'
  if (node.type === 'MemberExpression' && object?.name === 'Payload' && property?.name === 'ofPost')
    return 'a post'
  return isOfCharacters(node) ? 'each character of a text' : undefined
}

/** Whether it may be a list of characters: `[...text]`, `Array.from(text)`, `text.split('')`. */
function isOfCharacters(node: Syntax): boolean {
  if (node.type === 'ArrayExpression') {
    const elements = node.elements as readonly (Syntax | null)[]
    const [first] = elements
    const spread = elements.length === 1 && first?.type === 'SpreadElement' ? first : undefined
    return isSyntax(spread?.argument) && ['Identifier', 'MemberExpression'].includes(spread.argument.type)
  }
  if (node.type !== 'CallExpression') return false
  const { property } = node.callee as Readonly<Record<string, Syntax | undefined>>
  const given = node.arguments as readonly Syntax[]
  return (
    (property?.name === 'split' && given[0]?.value === '') ||
    (property?.name === 'from' && given.length === 1 && given[0]?.type === 'Identifier')
  )
}

function deedsIn(source: string): string[] {
  const deeds: string[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (!isSyntax(node)) return
    const deed = deedOf(node)
    if (deed !== undefined) deeds.push(deed)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync('file.ts', source).program)
  return deeds
}

it('integrations read the values of a post through its payload alone, which counts them', () => {
  const tree = readSourceTree(join(PROJECT, 'src/integrations'))
  const faults = [...tree].flatMap(([file, source]) =>
    deedsIn(source)
      .filter((deed) => !ALLOWED[deed]!.includes(file))
      .map((deed) => `${file}: ${deed}`),
  )
  expect(faults).toEqual([])
  const used = [...tree].flatMap(([file, source]) => deedsIn(source).map((deed) => `${deed}: ${file}`))
  for (const [deed, files] of Object.entries(ALLOWED)) {
    expect(used).toEqual(expect.arrayContaining(files.map((file) => `${deed}: ${file}`)))
  }
})

describe('the check itself', () => {
  it.each([
    ['payload.raw', 'the value behind a payload'],
    ['const { raw } = payload', 'the value behind a payload'],
    ['JSON.stringify(payload)', 'a value as JSON'],
    ['new Payload(value)', 'a payload of its own'],
    ['[...text]', 'each character of a text'],
    ['Array.from(text)', 'each character of a text'],
    ["text.split('')", 'each character of a text'],
  ])('finds %s', (source, deed) => {
    expect(deedsIn(source)).toEqual([deed])
  })
})
