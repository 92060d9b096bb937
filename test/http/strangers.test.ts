import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { countReading } from '../support/counted-reading.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { deliverMail, MAIL_DOMAIN, writeMail } from '../support/incoming-mail.ts'
import {
  bodyLimitAt,
  ENDPOINTS,
  type Endpoint,
  INTEGRATIONS,
  LONG_BODY,
  OPTION_NAMES,
} from '../support/inside-declarations.ts'
import { routesBesideEndpoints } from '../support/inside-router.ts'
import { readJson } from '../support/json.ts'
import { sha256Hex } from '../support/sha256.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const MIB = 1_048_576

/** Characters and bytes that a request may make the server read, each as often as it is read, until a caller whom nobody knows is refused. */
const MAX_READ = 400_000

const { realm, ann } = useRealm({ ann: 'member' })

const FORM = 'application/x-www-form-urlencoded'
const BOUNDARY = 'border'
const INVENTED_KEY = 'a1B2c3D4'.repeat(4)
const INVENTED_SESSION = 'x'.repeat(43)

interface Body {
  readonly type: string
  readonly text: string
}

/** Returns JSON of about this many characters, of which much would be made if anybody read it. */
const listOf = (length: number) => `["a"${',"a"'.repeat(Math.max(Math.floor(length / 4) - 2, 0))}]`
const nested = (length: number) => `${'['.repeat(length / 2 - 1)}${']'.repeat(length / 2 - 1)}`

/** Returns a form with all parameters of an endpoint, which share this many bytes. */
function formFor({ params, method, readsBody }: Endpoint, bytes: number): Body {
  const last = readsBody ? [] : [['method', method]]
  const names = [...Object.keys(params), 'unknown']
  const each = Math.floor((bytes - 200 - names.join().length) / names.length)
  const fields = [...names.map((name) => [name, listOf(each)]), ...last]
  return { type: FORM, text: fields.map((field) => field.join('=')).join('&') }
}

function partsFor({ params, method }: Endpoint, bytes: number): Body {
  const names = [...Object.keys(params), 'unknown']
  const each = Math.floor(bytes / names.length) - 200
  const fields = [...names.map((name) => [name, listOf(each)] as const), ['method', method] as const]
  const parts = fields.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, text: `${parts.join('')}--${BOUNDARY}--\r\n` }
}

const TUS = (method: string) => ({
  'X-HTTP-Method-Override': method,
  'Tus-Resumable': '1.0.0',
  'Upload-Offset': '0',
  'Upload-Length': '10000000',
})

async function headersOf(caller: string): Promise<Record<string, string>> {
  if (caller === 'session') {
    const csrf = (await sha256Hex(`csrf ${INVENTED_SESSION}`)).slice(0, 64)
    return { Cookie: `sessionid=${INVENTED_SESSION}`, 'X-CSRFToken': csrf }
  }
  return {
    Authorization: `Basic ${btoa(`${caller === 'known' ? ann.email : 'nobody@example.com'}:${caller === 'known' ? ann.apiKey : INVENTED_KEY}`)}`,
  }
}

/** Posts as a caller, and returns the status and what was read for it. A form says which method it stands for. */
async function post(endpoint: Endpoint, { type, text }: Body, caller: string, integration = 'json') {
  const path = endpoint.path
    .replace(':integration', integration)
    .replaceAll(/:(\w+)\+?/g, (_, name: string) => (/_id/.test(name) ? '1' : 'x'))
  const host = caller === 'host' ? `nowhere.${realm.host}` : realm.host
  const root = caller === 'session' ? '/json' : '/api/v1'
  const key = endpoint.keyInParameter ? `?api_key=${INVENTED_KEY}` : ''
  const isChunk = endpoint.tus?.chunk !== undefined
  const request = new Request(`http://${host}${root}${path}${key}`, {
    method: 'POST',
    headers: {
      ...(await headersOf(caller)),
      ...(endpoint.tus ? TUS(endpoint.method) : {}),
      'Content-Type': isChunk ? 'application/offset+octet-stream' : type,
    },
    body: text,
  })
  const { answer, read } = await countReading(() => askWorker(request))
  const { code } = await readJson<{ code: string }>(answer)
  return { status: answer.status, code, read }
}

const limitOf = (endpoint: Endpoint) => Math.floor(bodyLimitAt([endpoint], 'POST') * MIB)

const OPEN = new Set(['anyone', 'spectator'])

describe.each(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (_, endpoint) => {
  const isOpen = OPEN.has(endpoint.access)

  it('is refused to an invented key, session or host before its body is read', async () => {
    const [largest, short] = [formFor(endpoint, limitOf(endpoint)), formFor(endpoint, LONG_BODY)]
    const posts = [
      ['key', largest],
      ['key', partsFor(endpoint, limitOf(endpoint))],
      ['key', short],
      ['session', largest],
      ['host', largest],
    ] as const
    for (const [caller, body] of posts) {
      const { status, code, read } = await post(endpoint, body, caller)
      const what = `${caller}, ${body.text.length} bytes of ${body.type}: ${status} ${code}`
      expect(read, what).toBeLessThan(MAX_READ)
      if (caller === 'host') expect([400, 404], what).toContain(status)
      else if (!isOpen && !endpoint.tus) expect(status, what).toBe(401)
      else if (body !== short) expect(status, what).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('a post of a service with an invented key', () => {
  const endpoint = ENDPOINTS.find(({ operation }) => operation === 'receive-webhook')!
  const size = limitOf(endpoint)
  const options = OPTION_NAMES.map((name) => `${name}=${listOf(9_000)}`).join('&')
  const bodies: Record<string, Body> = {
    'nested JSON': { type: 'application/json', text: nested(size) },
    'lists of JSON': { type: 'application/json', text: listOf(size) },
    'a form with every option': {
      type: FORM,
      text: `${options}&payload=${listOf(size - options.length - 100)}&api_key=${INVENTED_KEY}`,
    },
    'a thousand fields': { type: FORM, text: `${'a=b&'.repeat(999)}payload=${listOf(size - 5_000)}` },
    'names without end': { type: FORM, text: 'a'.repeat(size) },
    'small JSON': { type: 'application/json', text: nested(1_000) },
  }

  it.each(INTEGRATIONS.map(({ name }) => [name]))('%s: costs little, whatever it has', async (name) => {
    for (const [what, body] of Object.entries(bodies)) {
      const { status, read } = await post(endpoint, body, 'key', name)
      expect([what, status]).toEqual([what, 401])
      expect(read, what).toBeLessThan(body.text.length < MAX_READ ? 20_000 : MAX_READ)
    }
  })

  it.each(['/services/T1/B1/', '/api/webhooks/1/'])('costs little at %s', async (path) => {
    for (const [what, { type, text }] of Object.entries(bodies)) {
      const request = new Request(`http://${realm.host}${path}${INVENTED_KEY}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: text,
      })
      const { answer, read } = await countReading(() => askWorker(request))
      expect([401, 403], what).toContain(answer.status)
      expect(read, what).toBeLessThan(MAX_READ)
    }
  })
})

describe('a route outside the API', () => {
  const routes = new Set(
    routesBesideEndpoints().flatMap(({ method, path }) =>
      method === 'POST' || method === 'ALL' ? [path] : [],
    ),
  )
  const FIELDS = [
    'username',
    'email',
    'password',
    'full_name',
    'ticket',
    'credential',
    'logout_token',
    'code',
    'next',
  ]
  const size = MIB - 1_000
  const bodies: readonly Body[] = [
    { type: FORM, text: FIELDS.map((name) => `${name}=${listOf(size / FIELDS.length - 100)}`).join('&') },
    { type: FORM, text: FIELDS.map((name) => `${name}=${listOf(60_000 / FIELDS.length)}`).join('&') },
    { type: 'application/json', text: nested(size) },
    { type: 'application/json', text: nested(64_000) },
    { type: 'application/scim+json', text: `{"userName": "x", "emails": ${listOf(size - 1_000)}}` },
  ]

  it.each([...routes].map((path) => [path]))('%s reads little of what a stranger posts', async (path) => {
    const at = path.replaceAll(/:\w+\+?|\*/g, () => INVENTED_KEY)
    for (const { type, text } of bodies) {
      const request = new Request(`http://${realm.host}${at}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Authorization: `Bearer ${INVENTED_KEY}`, 'Content-Type': type },
        body: text,
      })
      const { answer, read } = await countReading(() => askWorker(request))
      await answer.text()
      expect(answer.status, type).toBeLessThan(500)
      expect(read, `${type} ${text.length}: ${answer.status}`).toBeLessThan(MAX_READ)
    }
  })
})

it('mail to an invented address is refused before it is read', async () => {
  world.settings = { ...world.settings, EMAIL_DOMAIN: MAIL_DOMAIN }
  const channel = await buildChannel([ann])
  const { email } = expectSuccess(await ann.api.get(`/streams/${channel.id}/email_address`)) as {
    email: string
  }
  const text = await writeMail({ subject: 'Long', text: 'word '.repeat(200_000) })
  const right = await countReading(() => deliverMail(realm.host, email, text))
  expect(right.answer).toBeNull()
  expect(right.read).toBeGreaterThan(MIB)
  const invented = email.replace(/_[0-9a-v]{16}(?=[.@])/, `_${'0'.repeat(16)}`)
  expect(invented).not.toBe(email)
  const wrong = await countReading(() => deliverMail(realm.host, invented, text))
  expect(wrong.answer).toMatch(/^Nobody takes mail/)
  expect(wrong.read).toBeLessThan(MAX_READ)
})

it('a known caller’s body is read, which the counter sees', async () => {
  const endpoint = ENDPOINTS.find(({ operation }) => operation === 'send-message')!
  for (const body of [formFor(endpoint, limitOf(endpoint)), partsFor(endpoint, limitOf(endpoint))]) {
    const { status, read } = await post(endpoint, body, 'known')
    expect(status).toBe(400)
    expect(read).toBeGreaterThan(body.text.length)
  }
})
