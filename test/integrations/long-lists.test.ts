import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findIntegration } from '../../src/integrations/index.ts'
import { shortJson } from '../../src/integrations/short-json.ts'
import { readExample } from './example.ts'

function read(name: string, body: unknown, headers = {}, template?: { topic: string; text: string }) {
  const found = readExample(findIntegration(name)!, { what: name, headers, body, template })
  return found.kind === 'messages' ? found.messages : []
}

const many = <Item>(length: number, item: Item) => Array.from({ length }, () => item)

describe('the JSON of a value', () => {
  it('is that of the platform, up to its limit', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 1, max: 300 }), (value, longest) => {
        const whole = JSON.stringify(value, null, 2)
        const points = [...whole]
        expect(shortJson(value, longest)).toEqual({
          text: points.slice(0, longest).join(''),
          isCut: points.length > longest,
        })
      }),
    )
  })

  it('has whole characters at its limit', () => {
    expect(shortJson('🦀'.repeat(50), 10)).toEqual({ text: `"${'🦀'.repeat(9)}`, isCut: true })
  })
})

describe('a long list', () => {
  it('of alerts counts those that are not read', () => {
    const alerts = many(3_000, { status: 'firing', labels: { instance: 'web', alertname: 'Full' } })
    const [message] = read('alertmanager', { status: 'firing', alerts })
    expect(message!.text).toMatch(/\* and 480 more\n\n\[and 2500 more\]$/)
  })

  it('of messages counts those that are not sent', () => {
    const alerts = many(3_000, { status: 'firing', labels: { alertname: 'Full' } })
    const messages = read('grafana', { status: 'firing', alerts })
    expect(messages).toHaveLength(10)
    expect(messages.at(-1)!.text).toMatch(/\[and 2990 more\]$/)
  })

  it('of commits counts all of them', () => {
    const commits = many(1_000, { id: 'abc', message: 'Count', author: { username: 'ada' } })
    const body = { ref: 'refs/heads/main', commits, sender: { login: 'ada' } }
    const [message] = read('github', body, { 'X-GitHub-Event': 'push' })
    expect(message!.text).toContain('1000 commits')
    expect(message!.text).toMatch(/\[and 980 more commit\(s\)\]$/)
  })

  it('of frames shows the last one, where the error was raised', () => {
    const frames = [...many(2_000, { context_line: 'before' }), { context_line: 'raised' }]
    const body = {
      action: 'created',
      data: { error: { title: 'E', exception: { values: [{}, { stacktrace: { frames } }] } } },
    }
    const [message] = read('sentry', body, { 'Sentry-Hook-Resource': 'error' })
    expect(message!.text).toContain('raised')
  })

  it('in a template counts what it does not show', () => {
    const [message] = read('template', { a: many(9_000, 1) }, {}, { topic: 't', text: '{{a | list}}' })
    expect(message!.text).toMatch(/\* and 8980 more$/)
  })

  it('of small values is shortened before it is parsed', () => {
    const [message] = read(
      'template',
      { a: many(200_000, 1), b: 'b' },
      {},
      { topic: 't', text: '{{a | list}}' },
    )
    expect(message!.text).toMatch(/\* and 9980 more$/)
  })
})

describe('a post of which not all is read', () => {
  it('says so', () => {
    const elements = many(100, { type: 'text', text: 'a'.repeat(3_000) })
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
    const [message] = read('slack_incoming', { blocks })
    expect(message!.text).toHaveLength(11_000)
    const alerts = many(10, { status: 'firing', labels: { alertname: 'a'.repeat(30_000) } })
    expect(read('grafana', { alerts }).at(-1)!.text).toMatch(/\[and more\]$/)
  })

  it('has its own id', () => {
    const messages = many(500, { event: 'incident.trigger', incident: { title: 'a'.repeat(20_000) } })
    const found = readExample(findIntegration('pagerduty')!, {
      what: 'many',
      body: { messages: [{ id: 'first', ...messages[0]! }, ...messages] },
    })
    expect(found).toMatchObject({ id: 'first' })
  })
})
