import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { pngOf } from '../support/pictures.ts'
import { authorization, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const PASSWORD = 'a fine password'
const { realm, ann } = useRealm({ ann: 'member' })

/** Headers that a browser adds to requests by scripts of another site. */
const SCRIPT = { Origin: 'https://client.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' }

async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) {
  const init = { method, headers, body: body ?? null, redirect: 'manual' } as const
  const response = await askWorker(new Request(`https://${realm.host}${path}`, init))
  const text = new TextDecoder().decode(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, text }
}

const asScript = (method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  ask(method, path, { ...SCRIPT, ...authorization(ann), ...headers }, body)

const message = (content: string) =>
  new URLSearchParams({ type: 'direct', to: `[${ann.id}]`, content }).toString()
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

async function said(): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
  const { messages } = expectSuccess(await ann.api.get('/messages', page))
  return messages.map(({ content }: { content: string }) => content)
}

/** What an answer says to scripts of other origins. */
const opened = (headers: Headers) => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-allow-credentials'),
  headers.get('cross-origin-resource-policy'),
]
const OPEN = ['*', null, 'cross-origin']
const CLOSED = [null, null, 'same-origin']

describe('a script of another origin', () => {
  const preflight = (path: string, method: string, headers: string) =>
    ask('OPTIONS', path, {
      ...SCRIPT,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': headers,
    })

  it.each([
    ['PATCH', '/api/v1/messages/1', 'authorization,idempotency-key'],
    ['POST', '/api/v1/tus/', 'authorization,tus-resumable,upload-length,upload-metadata'],
    ['PATCH', '/api/v1/tus/x', 'authorization,content-type,upload-offset'],
    ['GET', '/api/v1/nowhere', 'authorization,x-feature-level'],
    ['GET', '/avatar/1', 'authorization'],
    ['GET', '/thumbnail/x', 'authorization'],
    ['GET', '/user_uploads/1/a/b/c.png', 'authorization,range,if-none-match'],
  ])('may ask with a key: %s %s', async (method, path, wanted) => {
    const { status, headers } = await preflight(path, method, wanted)
    expect([status, ...opened(headers)]).toEqual([204, ...OPEN])
    expect(headers.get('access-control-allow-methods')!.split(', ')).toContain(method)
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
    expect(wanted.split(',').filter((name) => !allowed.includes(name))).toEqual([])
  })

  it.each(['/json/messages', '/accounts/login/', '/', '/setup/organizations'])(
    'may not ask: %s',
    async (path) => {
      const { headers } = await preflight(path, 'POST', 'authorization')
      expect(opened(headers)).toEqual(CLOSED)
      expect(headers.get('access-control-allow-headers')).toBeNull()
    },
  )

  it('sends with a key, and reads answer and limits', async () => {
    world.limited = true
    const { status, headers } = await asScript('POST', '/api/v1/messages', message('by script'), FORM)
    expect([status, ...opened(headers)]).toEqual([200, ...OPEN])
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
    expect(headers.has('x-ratelimit-remaining')).toBe(true)
    expect(await said()).toContain('by script')
  })

  it('reads every kind of refusal', async () => {
    const wrong = { ...SCRIPT, ...authorization({ ...ann, apiKey: 'x'.repeat(32) }) }
    const answers = [
      await ask('GET', '/api/v1/users/me', wrong),
      await ask('GET', '/api/v1/users/me', SCRIPT),
      await asScript('GET', '/api/v1/messages/999999'),
      await asScript('GET', '/api/v1/nowhere'),
      await asScript('PUT', '/api/v1/messages'),
      await asScript('GET', '/user_uploads/1/a/b/c.png'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 404, 405, 404])
    for (const { headers } of answers) expect(opened(headers)).toEqual(OPEN)
  })

  it('reads files, smaller pictures and avatars with a key, and starts uploads', async () => {
    const path = await upload(ann, pngOf(40, 30))
    const length = {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '3',
      'Upload-Metadata': `filename ${btoa('a')}`,
    }
    const answers = [
      await asScript('GET', path),
      await asScript(
        'GET',
        path.replace('/user_uploads/', '/user_uploads/thumbnail/').concat('/840x560.webp'),
      ),
      await asScript('GET', `/avatar/${ann.id}`),
      await asScript('POST', '/api/v1/tus/', undefined, length),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 302, 201])
    for (const { headers } of answers) expect(opened(headers)).toEqual(OPEN)
    expect(answers[3]!.headers.get('access-control-expose-headers')).toContain('Location')
  })

  it('gets nothing that a session opens', async () => {
    const user = await buildUser(realm)
    const browser = new Browser(realm.host)
    await browser.logIn(user.email, PASSWORD)
    const path = await upload(user, { name: 'a.txt', type: 'text/plain', content: 'words' })
    for (const each of [path, `/avatar/${user.id}`, '/json/users/me', '/api/v1/users/me']) {
      expect([each, ...opened((await browser.ask('GET', each)).headers)]).toEqual([each, ...CLOSED])
    }
    const headers = { ...SCRIPT, 'X-CSRFToken': browser.cookies.get('csrftoken')! }
    const body = new URLSearchParams({ status_text: 'x' })
    const { status } = await browser.ask('POST', '/json/users/me/status', { body, headers })
    expect(status).toBe(403)
  })
})

describe('a key that a browser has stored', () => {
  it.each([
    ['a form', { 'Sec-Fetch-Mode': 'navigate' }],
    ['a request whose answer is not read', { 'Sec-Fetch-Mode': 'no-cors' }],
    ['a socket', { 'Sec-Fetch-Mode': 'websocket' }],
    ['a script that sends cookies', { Cookie: 'theme=dark' }],
    ['a script that would send cookies', { 'Sec-Fetch-Storage-Access': 'none' }],
    ['no mode', { 'Sec-Fetch-Mode': '' }],
  ])('serves no page of another host: %s', async (name, more) => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = { ...FORM, ...more, 'Sec-Fetch-Site': site }
      const refused = await asScript('POST', '/api/v1/messages', message(name), headers)
      expect([refused.status, fromJson(refused.text)]).toMatchObject([403, { code: 'CSRF_FAILED' }])
      expect((await asScript('GET', '/api/v1/users/me', undefined, headers)).status).toBe(403)
      expect((await asScript('GET', `/avatar/${ann.id}`, undefined, headers)).status).toBe(403)
    }
    expect(await said()).not.toContain(name)
  })

  it('is not asked for: no browser is challenged, and other clients are', async () => {
    const challenge = async (headers: Record<string, string>) =>
      (await ask('GET', '/api/v1/users/me', headers)).headers.get('www-authenticate')
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
    const browsers: Record<string, string>[] = [
      { 'User-Agent': chrome },
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://client.example' },
    ]
    for (const headers of browsers) expect(await challenge(headers)).toBeNull()
    const shell = 'Mozilla/5.0 (Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.4391'
    const others: Record<string, string>[] = [{}, { 'User-Agent': 'curl/8.5.0' }, { 'User-Agent': shell }]
    for (const headers of others) expect(await challenge(headers)).toBe('Basic realm="parley"')
    for (const path of ['/user_uploads/1/a/b/c.png', '/avatar/1']) {
      const { headers } = await ask('GET', path, { 'User-Agent': chrome, Authorization: 'Basic eDp5' })
      expect(headers.get('www-authenticate')).toBeNull()
    }
  })
})
