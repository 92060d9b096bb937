import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { fromJson } from '../support/json.ts'
import { type Example, findFaults, readExample } from './example.ts'
import { EXAMPLES } from './examples/index.ts'

const all = INTEGRATIONS.map((integration) => [integration, EXAMPLES[integration.name] ?? []] as const)
const cases = all.flatMap(([integration, examples]) => examples.map((example) => ({ integration, example })))

describe.each(all)('$displayName', (integration, examples) => {
  it.each(examples.map((example) => ({ example, what: example.what })))('reads $what', ({ example }) => {
    const read = readExample(integration, example)
    if (example.unsupported !== undefined) {
      expect(read).toEqual({ kind: 'unsupported', event: example.unsupported })
    } else {
      expect(read).toMatchObject({ kind: 'messages', messages: example.messages })
    }
  })

  it('has examples with a message, and names of events of its own', () => {
    expect(examples.some(({ messages = [] }) => messages.length > 0)).toBe(true)
    const { events } = integration
    if (events !== null) expect(events.length).toBeGreaterThan(0)
    expect(new Set(events).size).toBe(events?.length ?? 0)
  })
})

describe('what people read', () => {
  it('is whole sentences without gaps, whatever a payload lacks', () => {
    const ours = cases.filter(({ integration }) => !integration.usesTemplate)
    const faults = ours.flatMap(({ integration, example }) =>
      lacking(example).flatMap((body) => faultsOf(integration, { ...example, body })),
    )
    expect(faults).toEqual([])
  })

  it('is short, and its topic one line, for texts of a megabyte', { timeout: 60_000 }, () => {
    const some = all.flatMap(([integration, examples]) =>
      examples.slice(0, 2).map((example) => ({ integration, example })),
    )
    const read = some.flatMap(({ integration, example }) =>
      huge(example).map((body) => readExample(integration, { ...example, body })),
    )
    const messages = read.flatMap((one) => (one.kind === 'messages' ? one.messages : []))
    expect(messages.length).toBeGreaterThan(all.length)
    for (const { topic, text } of messages) {
      expect(text.length).toBeLessThan(25_000)
      if (/\]\(https:/.test(text.split('\n', 1)[0]!)) expect([...text].length).toBeLessThanOrEqual(10_000)
      expect(topic).not.toMatch(/[\r\n]/)
    }
  })

  it('ends with a link to the full text if it is cut, where one exists', () => {
    const cut = cases.flatMap(({ integration, example }) => {
      const read = readExample(integration, { ...example, body: long(example) })
      const messages = read.kind === 'messages' ? read.messages : []
      return messages.map(({ text }) => ({ name: integration.name, text }))
    })
    const linked = cut.filter(({ text }) => text.includes('[Read the whole text](https://'))
    const isLinkable = ({ name, text }: { name: string; text: string }) =>
      !['pingdom', 'uptimerobot'].includes(name) && /\]\(https:/.test(text.split('\n', 1)[0]!)
    const missing = cut.filter((one) => /…\n~~~/.test(one.text) && isLinkable(one) && !linked.includes(one))
    expect(missing).toEqual([])
    expect(linked.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'bitbucket2',
        'cloudflare',
        'forgejo',
        'gitea',
        'github',
        'gitlab',
        'gogs',
        'grafana',
        'jira',
        'linear',
        'netlify',
        'pagerduty',
        'sentry',
        'stripe',
      ]),
    )
    expect(cut.filter(({ text }) => text.includes('\0'))).toEqual([])
    for (const { text } of linked) expect([...text].length).toBeLessThanOrEqual(10_000)
  })

  it('never fails for values of other types', () => {
    const values = fc.anything({ maxDepth: 3, withNullPrototype: false })
    const structured = cases.filter(({ example }) => example.body !== undefined)
    fc.assert(
      fc.property(fc.nat(), fc.nat(), values, (which, where, value) => {
        const { integration, example } = structured[which % structured.length]!
        const paths = pathsOf(example.body)
        const body = replaced(example.body, paths[where % paths.length]!, plainJson(value))
        readExample(integration, { ...example, body })
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Keys of texts that people have written, or that are as long as they like. */
const WRITTEN = /title|name|message|summary|text|description|body|url|content/i

/** Returns the payload with one of its texts a megabyte long, for a few of them. */
function huge({ body }: Example): unknown[] {
  const text = '@**all** 🦀 [x](y)\n'.repeat(50_000)
  const paths = pathsOf(body).filter((path) => WRITTEN.test(path.at(-1) ?? ''))
  return paths.slice(0, 2).map((path) => replaced(body, path, text))
}

/** Returns the payload with every text that is quoted made long. */
function long({ body }: Example): unknown {
  if (typeof body !== 'object' || body === null) return body
  const isSaid = (key: string, value: unknown) => typeof value === 'string' && SAID.test(key)
  return fromJson(JSON.stringify(body, (key, value) => (isSaid(key, value) ? 'word '.repeat(1_500) : value)))
}

/** Keys of what is quoted. */
const SAID =
  /^(?:body|description|description_text|text|message|comment|note|raw|content|alert_details|error_message|failure_message|summary)$/

/** Values of a payload that are left out, one after the other, at most, and the length of one of which none is. */
const [LOOKED_AT, LONG] = [30, 20_000]

function faultsOf(integration: (typeof cases)[number]['integration'], example: Example): string[] {
  const read = readExample(integration, example)
  if (read.kind !== 'messages') return []
  return read.messages.flatMap((message) =>
    findFaults(message).map(
      (fault) => `${integration.name}, ${example.what}: ${fault}: ${JSON.stringify(message)}`,
    ),
  )
}

/** Returns the payload as it is, and without each of its values: absent, null, and with nothing but null. */
function lacking({ body }: Example): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  // Long lists have all alike.
  if (JSON.stringify(body).length > LONG) return [body, allNull(body)]
  const paths = pathsOf(body).filter((path) => path.length > 0)
  const some = paths.filter((_, at) => at % Math.ceil(paths.length / LOOKED_AT) === 0)
  return [
    body,
    {},
    [],
    allNull(body),
    ...some.flatMap((path) => [replaced(body, path, null), replaced(body, path, undefined)]),
  ]
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? replaced(item, rest, by) : item))
  return { ...(value as object), [key]: replaced(inner, rest, by) }
}

function allNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allNull)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, allNull(inner)]))
}

function plainJson(value: unknown): unknown {
  try {
    return fromJson(
      JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null',
    )
  } catch {
    return null
  }
}
