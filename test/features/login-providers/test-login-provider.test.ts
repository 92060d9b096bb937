import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner } = useRealm()

const ISSUER = 'https://login.example.com/acme/'
const DESCRIPTION = 'https://login.example.com/acme/.well-known/openid-configuration'
const TOKENS = 'https://login.example.com/token'
const GOOD = {
  issuer: ISSUER,
  authorization_endpoint: 'https://login.example.com/authorize',
  token_endpoint: TOKENS,
  jwks_uri: 'https://login.example.com/keys',
  response_types_supported: ['code', 'id_token'],
  code_challenge_methods_supported: ['S256'],
}
const NO_SUCH_CODE = () => Response.json({ error: 'invalid_grant' }, { status: 400 })

let answers: Record<string, () => Response | Promise<Response>> = {}
let asked: { url: string; headers: Headers; body: string }[] = []

beforeEach(() => {
  answers = { [DESCRIPTION]: () => Response.json(GOOD), [TOKENS]: NO_SUCH_CODE }
  asked = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers), body: String(init?.body ?? '') })
    const answer = answers[String(url)]
    if (!answer) throw new TypeError('no such host')
    return answer()
  })
})
afterEach(() => vi.restoreAllMocks())

let made = 0
async function add(changes: object = {}): Promise<number> {
  made += 1
  const provider = { slug: `p${made}`, issuer: ISSUER, client_id: 'parley +', client_secret: 'se:cret' }
  const { id } = expectSuccess(await owner.api.post('/login_providers', { ...provider, ...changes }))
  removeLater.push(id)
  return id
}
const removeLater: number[] = []
afterEach(async () => {
  for (const id of removeLater.splice(0)) expectSuccess(await owner.api.delete(`/login_providers/${id}`))
})
const test = async (id: number) => expectSuccess(await owner.api.post(`/login_providers/${id}/test`))

describe('the test of a log-in provider', () => {
  it('passes where provider, client and secret are as entered', async () => {
    expect(await test(await add())).toMatchObject({ works: true, problem: null })
    expect(asked.map(({ url }) => url)).toEqual([DESCRIPTION, TOKENS])
    const { headers, body } = asked[1]!
    expect(headers.get('Authorization')).toBe(`Basic ${btoa('parley+%2B:se%3Acret')}`)
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      grant_type: 'authorization_code',
      redirect_uri: `http://${realm.host}/complete/p${made}/`,
    })
  })

  it('sends the secret in the way that was chosen', async () => {
    await test(await add({ token_auth: 'post' }))
    await test(await add({ client_secret: '' }))
    const [posted, without] = asked.filter(({ url }) => url === TOKENS)
    expect(Object.fromEntries(new URLSearchParams(posted!.body))).toMatchObject({
      client_id: 'parley +',
      client_secret: 'se:cret',
    })
    expect(posted!.headers.has('Authorization')).toBe(false)
    expect(new URLSearchParams(without!.body).has('client_secret')).toBe(false)
  })

  const described = (changes: object) => ({ [DESCRIPTION]: () => Response.json({ ...GOOD, ...changes }) })

  it.each([
    [
      'unreachable',
      { [DESCRIPTION]: undefined },
      `${DESCRIPTION} cannot be reached. Check the address of the provider.`,
    ],
    [
      'absent',
      { [DESCRIPTION]: () => new Response('', { status: 404 }) },
      `${DESCRIPTION} answers with status 404. Check the address of the provider.`,
    ],
    [
      'elsewhere',
      { [DESCRIPTION]: () => new Response('', { status: 302, headers: { Location: 'https://x.example' } }) },
      `${DESCRIPTION} redirects to another address. Enter the issuer as the provider writes it.`,
    ],
    [
      'a page',
      { [DESCRIPTION]: () => new Response('<!doctype html>') },
      `${DESCRIPTION} is not the description of an OpenID Connect provider.`,
    ],
    [
      'too long',
      { [DESCRIPTION]: () => new Response(`{"a":"${'x'.repeat(200_000)}"}`) },
      `${DESCRIPTION} is not the description of an OpenID Connect provider.`,
    ],
    [
      'another issuer',
      described({ issuer: 'https://login.example.com/acme' }),
      'The provider calls itself “https://login.example.com/acme”. Enter exactly that as its address.',
    ],
    [
      'nobody',
      described({ issuer: 7 }),
      'The provider calls itself nothing. Enter exactly that as its address.',
    ],
    [
      'without keys',
      described({ jwks_uri: undefined }),
      'The provider’s description has no jwks_uri, or one that this server may not call.',
    ],
    [
      'inside a network',
      described({ token_endpoint: 'https://10.0.0.1/token' }),
      'The provider’s description has no token_endpoint, or one that this server may not call.',
    ],
    [
      'without codes',
      described({ response_types_supported: ['id_token'] }),
      'The provider does not offer the code flow, which a log-in here needs.',
    ],
    [
      'without PKCE',
      described({ code_challenge_methods_supported: ['plain'] }),
      'The provider does not offer PKCE with S256, which a log-in here needs.',
    ],
    [
      'of a stranger',
      { [TOKENS]: () => Response.json({ error: 'invalid_client' }, { status: 400 }) },
      'The provider does not know this client ID with this secret, or wants the secret to be sent in another way.',
    ],
    [
      'down',
      { [TOKENS]: () => new Response('', { status: 503 }) },
      `${TOKENS} answers with status 503. Try again later.`,
    ],
  ])('says in words what is wrong: %s', async (_name, changes, problem) => {
    answers = { ...answers, ...(changes as typeof answers) }
    expect(await test(await add())).toMatchObject({ works: false, problem })
  })

  it('says it in the language of the owner who tests', async () => {
    answers[TOKENS] = () => new Response('', { status: 503 })
    expectSuccess(await owner.api.patch('/settings', { default_language: 'de' }))
    const { problem } = await test(await add())
    expectSuccess(await owner.api.patch('/settings', { default_language: 'en' }))
    expect(problem).toBe(`${TOKENS} antwortet mit Status 503. Versuch es später noch einmal.`)
  })

  it('asks GitHub whether it knows the client', async () => {
    const id = await add({ preset: 'github', issuer: '', client_id: 'Iv1.a' })
    const address = 'https://api.github.com/applications/Iv1.a/token'
    for (const [status, problem] of [
      [404, null],
      [401, 'GitHub does not know this client ID with this secret.'],
      [502, `${address} answers with status 502. Try again later.`],
    ] as const) {
      answers[address] = () => new Response('{}', { status })
      expect(await test(id)).toMatchObject({ works: problem === null, problem })
    }
    expect(asked.map(({ url }) => url)).toEqual([address, address, address])
    expect(asked[0]!.headers.get('Authorization')).toBe(`Basic ${btoa('Iv1.a:se:cret')}`)
  })

  it('says so where the secret was sealed with a key that is gone', async () => {
    const id = await add()
    world.settings = { SECRETS_KEY: btoa('x'.repeat(32)) }
    const lost = 'This server cannot read this secret any more, since its key was replaced. Enter it again.'
    expectRefusal(await owner.api.post(`/login_providers/${id}/test`), lost)
    expect(asked).toEqual([])
  })

  it('knows no provider that there is not', async () => {
    expectRefusal(await owner.api.post('/login_providers/999/test'), 'Invalid log-in provider', {
      status: 404,
    })
  })
})
