import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findIntegration, INTEGRATIONS } from '../../src/integrations/index.ts'
import { jws, SIGNERS } from './examples/index.ts'

/** Services whose signatures have a time. */
const TIMED = ['grafana', 'stripe', 'zendesk']
/** Services that send the secret itself. */
const SENDING = new Set([
  'azuredevops',
  'cloudflare',
  'datadog',
  'freshdesk',
  'gitlab',
  'google_calendar',
  'homeassistant',
  'newrelic',
  'opsgenie',
  'teamcity',
  'zapier',
])
const ADDRESS = 'https://chat.example/api/v1/external/x?api_key=a&stream=b'
const AT = 1_793_616_000

const verify = (
  name: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  now: number,
  secret = 'secret',
) =>
  findIntegration(name)!.verify!(
    {
      body: new TextEncoder().encode(body),
      hmac: (key) => createHmac('sha256', key).update(body).digest('hex'),
      header: (header) => headers[header] ?? '',
      address: ADDRESS,
      now,
    },
    secret,
  )

describe.each(Object.keys(SIGNERS))('a signature of %s', (name) => {
  const body = '{"a":"ü"}'
  const headers = SIGNERS[name]!({ body, secret: 'secret', at: AT, address: ADDRESS })

  it('is that of the body with the secret', () => {
    expect(verify(name, body, headers, AT)).toBe(true)
    expect(verify(name, `${body} `, headers, AT)).toBe(SENDING.has(name))
    expect(verify(name, body, headers, AT, 'Secret')).toBe(false)
    expect(verify(name, body, {}, AT)).toBe(false)
    for (const header of Object.keys(headers)) {
      for (const value of ['', 'v1=', 't=,v1=', '..', `${AT}`, 'ä'.repeat(300)]) {
        const changed = { ...headers, [header]: value }
        const isTime =
          header.endsWith('Timestamp') && ((value === `${AT}` && name !== 'zendesk') || name === 'sentry')
        expect([value, verify(name, body, changed, AT)]).toEqual([value, isTime])
      }
    }
  })

  it('counts for five minutes if it has a time', () => {
    const at = [-301, -300, 300, 301].map((seconds) => verify(name, body, headers, AT + seconds))
    expect(at).toEqual(TIMED.includes(name) ? [false, true, true, false] : [true, true, true, true])
  })
})

it('every integration that verifies signatures can sign a test, and no other', () => {
  const body = '{"a":"ü"}'
  const signing = INTEGRATIONS.filter(({ sign }) => sign)
  expect(signing.map(({ name }) => name)).toEqual(
    INTEGRATIONS.filter(({ verify }) => verify).map(({ name }) => name),
  )
  for (const { name, sign } of signing) {
    const headers = sign!({ body: new TextEncoder().encode(body), address: ADDRESS, now: AT }, 'secret')
    expect([name, verify(name, body, headers, AT)]).toEqual([name, true])
    expect([name, verify(name, body, headers, AT, 'other')]).toEqual([name, false])
  }
})

it('no signature of Grafana is accepted for the body alone if a time is sent', () => {
  const { 'X-Grafana-Alerting-Signature': signature } = SIGNERS.grafana!({
    body: '{}',
    secret: 'secret',
    at: AT,
    address: ADDRESS,
  })
  expect(verify('grafana', '{}', { 'X-Grafana-Alerting-Signature': signature! }, AT)).toBe(false)
})

it('no signature of Netlify is of another algorithm, issuer or body', () => {
  const sha256 = createHash('sha256').update('{}').digest('hex')
  const verified = (head: object, claims: object) =>
    verify('netlify', '{}', { 'X-Webhook-Signature': jws(head, claims, 'secret') }, AT)
  expect(verified({ alg: 'HS256' }, { iss: 'netlify', sha256 })).toBe(true)
  expect(verified({ alg: 'none' }, { iss: 'netlify', sha256 })).toBe(false)
  expect(verified({ alg: 'HS256' }, { iss: 'other', sha256 })).toBe(false)
  expect(verified({ alg: 'HS256' }, { iss: 'netlify' })).toBe(false)
  expect(verified({}, [])).toBe(false)
})
