import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { type Integration, OPTION_NAMES } from '../../src/integrations/integration.ts'
import { fromJson } from '../support/json.ts'
import { countWork } from './counted-work.ts'
import { type Example, readExample } from './example.ts'
import { EXAMPLES } from './examples/index.ts'

/** Characters of a post: six times as many as are read of one. */
const SIZE = 1_200_000
/** Times that the text of a post is read to find its values. */
const READ = 3
/** Characters and items that one may cost besides, however large it is. */
const MOST_WORK = 6_000_000
/** Characters of a message, which the organization cuts to 10,000. */
const MOST_SENT = 25_000

const SLOW = { timeout: 120_000 }

/** Texts that are long, or change their length, in one form or another. */
const TEXTS: Readonly<Record<string, string>> = {
  letters: 'a',
  marks: '*_~`',
  tokens: '<',
  links: '<https://a.example/|b>',
  emoji: ':a:',
  lines: '\n',
  quotes: '&gt; a\n',
  points: '🦀',
  addresses: 'a.example/(',
  mentions: '@**all** ',
  escapes: '$$',
}

/** Patterns that try each place of a name, in as many as there may be. */
const PATTERNS = Array.from({ length: 100 }, () => '*aaaaaaaab')
/** Options with the largest values that the address takes. */
const OPTIONS = Object.fromEntries(
  OPTION_NAMES.map((name) => [name, name === 'branches' ? PATTERNS.join(',') : 'a'.repeat(10_000)]),
)
const ADDRESS = { only_events: ['*', ...PATTERNS], exclude_events: PATTERNS, ...OPTIONS }

const FILTERS = ['list', 'list: a', 'raw', 'quote', 'code', 'time', 'default: "a"'] as const
const VALUES = ['a', '.', 'failed', 'started', 'name']
/** A template of as many values as it may have. */
const TEMPLATE = FILTERS.flatMap((filter) => VALUES.map((value) => `{{${value} | ${filter}}}`))
  .join('')
  .repeat(2)

const named = INTEGRATIONS.map((integration) => [integration, examplesOf(integration)] as const)

describe.each(named)('a post of $displayName costs little', (integration, examples) => {
  it('with the longest lists', SLOW, () => {
    expect(tooMuch(integration, examples, (body) => inflated(body, long))).toEqual([])
  })

  it.each(Object.entries(TEXTS))('with the longest texts: %s', SLOW, (_, text) => {
    expect(tooMuch(integration, examples, (body) => withTexts(body, text))).toEqual([])
  })

  it('with the deepest nesting', SLOW, () => {
    expect(tooMuch(integration, examples, (body) => inflated(body, deep))).toEqual([])
  })

  it('with the longest names, and the most patterns for them', SLOW, () => {
    const names = 'a'.repeat(1_000)
    expect(tooMuch(integration, examples, (body) => inflated(textsBy(body, names), long), ADDRESS)).toEqual(
      [],
    )
  })
})

describe('a post of five megabytes', () => {
  const whole = 5 * 2 ** 20

  it.each<readonly [what: string, name: string, example: Omit<Example, 'what'>]>([
    [
      'of nested lists',
      'json',
      { body: `[${Array.from({ length: whole / 400 }, () => '['.repeat(199) + ']'.repeat(199)).join(',')}]` },
    ],
    [
      'of one list, shown a hundred times',
      'template',
      {
        body: `{"a":[${'1,'.repeat(whole / 2 - 10)}1]}`,
        template: { topic: 'a', text: '{{a|list}}'.repeat(100) },
      },
    ],
    [
      'of names, each for a hundred patterns',
      'bitbucket2',
      {
        headers: { 'X-Event-Key': 'repo:push' },
        body: `{"push":{"changes":[${`{"new":{"name":"${'a'.repeat(250)}"}},`.repeat(18_000)}{}]}}`,
        address: ADDRESS,
      },
    ],
  ])('%s costs no more', SLOW, (what, name, example) => {
    const integration = INTEGRATIONS.find((one) => one.name === name)!
    const { work, result } = countWork(() => readExample(integration, { what, ...example }))
    expect(result.kind).toBe('messages')
    expect(work).toBeLessThan(READ * whole + MOST_WORK)
  })
})

it('of a value that is too deep is none', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const integration of INTEGRATIONS) {
    const [{ headers = {} }] = examplesOf(integration) as [Example]
    const read = readExample(integration, { what: 'deep', headers, body: nested })
    expect(read.kind).toBe('malformed')
  }
})

it('the count finds what is done to each item, and to each character', () => {
  const items = Array.from({ length: 1_000 }, (_, at) => at)
  expect(countWork(() => items.map(String)).work).toBe(1_000)
  expect(countWork(() => [...'a'.repeat(1_000)]).work).toBeGreaterThan(1_000)
  expect(countWork(() => JSON.stringify(items, null, 2)).work).toBeGreaterThan(5_000)
  expect(countWork(() => items.length).work).toBe(0)
})

/** Returns one example of each kind, and of a template all filters. */
function examplesOf({ name }: Integration): Example[] {
  const all = EXAMPLES[name]!.map(inJson).filter(({ body }) => typeof body === 'object' && body !== null)
  const ofKind = Map.groupBy(all, ({ headers = {} }) => JSON.stringify(headers))
  const some = Array.from(ofKind.values(), (examples) => largest(examples))
  const template = { topic: TEMPLATE, text: TEMPLATE }
  return name === 'template' ? [...some, { ...some[0]!, template }] : some
}

/** Returns an example as JSON, though its service sends a form. */
function inJson({ form, ...example }: Example): Example {
  const body = form?.payload === undefined ? example.body : fromJson(form.payload)
  return { ...example, body }
}

function largest(examples: readonly Example[]): Example {
  const size = ({ body }: Example) => JSON.stringify(body).length
  return examples.reduce((one, other) => (size(other) > size(one) ? other : one))
}

/** Returns what of the examples, with another body, takes more work or room than it may. */
function tooMuch(
  integration: Integration,
  examples: readonly Example[],
  change: (body: unknown) => unknown,
  address = {},
): string[] {
  return examples.flatMap((example) => {
    const body = JSON.stringify(change(example.body))
    const { work, result } = countWork(() => readExample(integration, { ...example, body, address }))
    const found = work - READ * body.length
    const sent = result.kind === 'messages' ? result.messages : []
    const longest = Math.max(0, ...sent.map(({ topic, text }) => topic.length + text.length))
    const isFine = found <= MOST_WORK && longest <= MOST_SENT && sent.length <= 10
    return isFine ? [] : [`${example.what}: ${found} of ${body.length}, ${longest} sent`]
  })
}

type Grow = (value: unknown, size: number) => unknown

/** Returns a body with each of its lists and objects, or one of its values, grown to share the size of a post. */
function inflated(body: unknown, grow: Grow): unknown {
  const lists = containersIn(body)
  const size = SIZE / Math.max(1, lists.length)
  const change = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const inner = Array.isArray(value)
      ? value.map(change)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
    return grow(inner, size)
  }
  // The innermost ones share the room with those around them.
  return change(body)
}

function containersIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersIn)]
}

/** Repeats the items of a list, and adds keys to an object. */
function long(value: unknown, size: number): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value.length === 0 ? ['a', { a: 'a' }] : (value as unknown[])
    const length = JSON.stringify(items).length
    const times = Math.max(1, Math.min(Math.floor(size / length), 1_000_000))
    return Array.from({ length: times }, () => items).flat()
  }
  const more = Array.from({ length: Math.floor(size / 40) }, (_, at) => [`key ${at}`, `value ${at}`])
  return { ...(value as object), ...Object.fromEntries(more) }
}

/** Puts nested lists and objects behind the items of a list, or into a key of an object. */
function deep(value: unknown, size: number): unknown {
  const levels = 80
  const nest = (inner: unknown, level: number): unknown =>
    level === 0 ? inner : level % 2 === 0 ? [nest(inner, level - 1)] : { content: [nest(inner, level - 1)] }
  const one = nest('a', levels)
  const wide = Array.from({ length: Math.max(1, Math.floor(size / JSON.stringify(one).length)) }, () => one)
  if (Array.isArray(value)) return [...(value as unknown[]), ...wide]
  return { ...(value as object), a: wide, content: wide, elements: wide }
}

/** Returns a body with all texts long, so that they share the size of a post. */
function withTexts(body: unknown, text: string): unknown {
  const length = JSON.stringify(text).length
  const one = text.repeat(Math.ceil(SIZE / Math.max(1, countTexts(body)) / length))
  return textsBy(body, one)
}

/** Keys of words that decide which message is made. */
const DECIDING = /type|status|state|event|action|kind|phase|transition|^topic$|translationKey|ref$/i

function countTexts(value: unknown): number {
  if (typeof value === 'string') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countTexts(inner), 0)
}

function textsBy(body: unknown, text: string): unknown {
  return fromJson(JSON.stringify(body), (key, value) =>
    typeof value === 'string' && !DECIDING.test(key) ? text : value,
  )
}
