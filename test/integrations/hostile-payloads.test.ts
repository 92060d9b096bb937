import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { rendered } from '../markdown/describe-cases.ts'
import { type Example, readExample } from './example.ts'
import { EXAMPLES } from './examples/index.ts'

/** What someone who may write a title at the service could put into it. */
const HOSTILE = [
  'a](https://evil.example/1) [b](https://evil.example/2) https://evil.example/3 ![c](https://evil.example/4.png)',
  '@**all** @*admins* @**channel** #**general** `code` **bold** ~~gone~~ :tada: $$x^2$$ <b>',
  '```',
  'fence',
  '```',
  '# Head',
  '~~~ quote',
  '~~~~~~~~~~~~~~~~',
  '@**all** [d](https://evil.example/5) after',
].join('\n')

/** Integrations whose posts are Markdown, or shown as code. */
const WRITES_MARKDOWN: ReadonlySet<string> = new Set([
  'slack_incoming',
  'discord_incoming',
  'homeassistant',
  'ifttt',
  'json',
  'template',
  'zapier',
])

const cases = INTEGRATIONS.filter(({ name }) => !WRITES_MARKDOWN.has(name)).map(
  (integration) => [integration, EXAMPLES[integration.name]!] as const,
)

describe.each(cases)('a post of $displayName', (integration, examples) => {
  it('has no markup of its texts outside quotations', { timeout: 60_000 }, () => {
    const faults = changedOnce(examples).flatMap((example) => {
      const read = readExample(integration, example)
      const messages = read.kind === 'messages' ? read.messages : []
      return messages.flatMap(({ text }) => markupIn(rendered(text)).map((what) => `${what}: ${text}`))
    })
    expect(faults).toEqual([])
  })

  it('may contain any name that is looked up', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      for (const example of changedOnce(examples, name)) {
        expect(JSON.stringify(readExample(integration, example))).not.toContain('native code')
      }
      const headers = Object.entries(examples[0]!.headers ?? {}).map(([header]) => [header, name] as const)
      readExample(integration, { ...examples[0]!, headers: Object.fromEntries(headers) })
    }
  })
})

/** Returns the examples with one of their texts replaced; each text by its place once. */
function changedOnce(examples: readonly Example[], by = HOSTILE): Example[] {
  const tried = new Set<string>()
  return examples.flatMap((example) =>
    placesIn(example.body).flatMap((place) => {
      const known = place.filter((key) => !/^\d+$/.test(key)).join('.')
      if (tried.has(known)) return []
      tried.add(known)
      return [{ ...example, body: replaced(example.body, place, by) }]
    }),
  )
}

/** Returns the kinds of markup, of the hostile text, that stand outside quotations. */
function markupIn(html: string): string[] {
  const outside = html.replaceAll(/<blockquote>[\s\S]*?<\/blockquote>/g, '')
  const kinds: Readonly<Record<string, RegExp>> = {
    mention: /class="(?:user|user-group|topic)-mention/,
    channel: /class="stream"/,
    link: /href="https:\/\/evil/,
    picture: /<img src="https:\/\/evil/,
    heading: /<h\d/,
    code: /<code>code<|<pre>(?:<span><\/span>)?<code>fence/,
    style: /<strong>bold|<del>/,
    emoji: /title="tada"/,
    math: /class="katex/,
  }
  return Object.keys(kinds).filter((kind) => kinds[kind]!.test(outside))
}

function placesIn(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key]))
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: string): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, by))
  const object = value as Readonly<Record<string, unknown>>
  return { ...object, [key]: replaced(object[key], rest, by) }
}
