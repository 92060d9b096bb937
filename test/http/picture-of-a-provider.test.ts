import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { type Person, standInForProvider } from '../support/identity-provider.ts'
import { HUGE_PNG, NO_IMAGE, PNG } from '../support/images.ts'
import type { Json } from '../support/json.ts'
import { buildUnused } from '../support/login-identities.ts'
import { fetchPath, postFiles, type TestFile } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })
const provider = standInForProvider(realm)

let house: number
beforeAll(async () => {
  house = await provider.add(owner, 'house', { auto_signup: true })
})

const picture = () => `${provider.issuer()}/picture`

/** A picture comes after the log-in that waits for no picture. */
const SOON = { timeout: 20_000 }

let people = 0
function newPerson(more: Record<string, unknown> = {}): Person & { readonly email: string } {
  people += 1
  const email = `pictured-${people}@example.com`
  return { sub: `pictured-${people}`, email, email_verified: true, name: `Person ${people}`, ...more }
}

/** Logs a user in, and returns how others see them. */
async function join(person: Person) {
  const { status, browser } = await provider.logIn(person)
  expect(status).toBe(302)
  const { user_id } = expectSuccess(await browser.json('GET', '/users/me'))
  return { browser, shown: () => seenBy(ann, user_id) }
}

async function seenBy({ api }: TestUser, user_id: number): Promise<Json> {
  return expectSuccess(await api.get(`/users/${user_id}`, { client_gravatar: false })).user
}

const answerWith = (content: TestFile['content'], status = 200) =>
  provider.files.set('/picture', () => new Response(content as Uint8Array<ArrayBuffer>, { status }))

const hasOwn = async ({ shown }: Awaited<ReturnType<typeof join>>) =>
  String((await shown()).avatar_url).startsWith('/user_avatars/')

let given: number
beforeEach(() => {
  given = 0
  vi.spyOn(console, 'warn').mockImplementation((line: unknown) => {
    if (String(line).includes('could not be loaded')) given += 1
  })
})

describe('a user who joins with a provider', () => {
  it('gets the provider’s picture, once', async () => {
    answerWith(PNG.content)
    const person = newPerson({ picture: picture() })
    const joined = await join(person)
    await expect.poll(() => hasOwn(joined), SOON).toBe(true)
    const { avatar_url } = await joined.shown()
    expect((await fetchPath(realm, avatar_url)).status).toBe(200)
    expectSuccess(await joined.browser.json('DELETE', '/users/me/avatar'))
    provider.asked.length = 0
    await provider.logIn(person)
    expect(provider.asked).not.toContain('/picture')
  })

  it('gets it even if users may not change theirs', async () => {
    answerWith(PNG.content)
    expectSuccess(await owner.api.patch('/realm', { avatar_changes_disabled: true }))
    const joined = await join(newPerson({ picture: picture() }))
    await expect.poll(() => hasOwn(joined), SOON).toBe(true)
    expectSuccess(await owner.api.patch('/realm', { avatar_changes_disabled: false }))
  })

  it('does not wait for the picture', async () => {
    const arriving = Promise.withResolvers<Response>()
    provider.files.set('/picture', () => arriving.promise)
    const joined = await join(newPerson({ picture: picture() }))
    expect(await hasOwn(joined)).toBe(false)
    arriving.resolve(new Response(PNG.content as Uint8Array<ArrayBuffer>))
    await expect.poll(() => hasOwn(joined), SOON).toBe(true)
  })

  it('keeps a picture that they have chosen meanwhile', async () => {
    const arriving = Promise.withResolvers<Response>()
    provider.files.set('/picture', () => arriving.promise)
    const joined = await join(newPerson({ picture: picture() }))
    const {
      api_key: apiKey,
      email,
      user_id: id,
    } = expectSuccess(await joined.browser.json('POST', '/fetch_api_key')) as Json
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })
    const user = { id, email, fullName: '', apiKey, api }
    expectSuccess(await postFiles(user, '/users/me/avatar', [PNG]))
    const { avatar_url } = await joined.shown()
    arriving.resolve(new Response(PNG.content as Uint8Array<ArrayBuffer>))
    await expect.poll(() => given, SOON).toBe(1)
    expect((await joined.shown()).avatar_url).toBe(avatar_url)
  })

  it.each<[string, TestFile['content'], number?]>([
    ['that is none', NO_IMAGE.content],
    ['that claims to be huge', HUGE_PNG.content],
    ['of more than five megabytes', new Uint8Array(5 * 1024 * 1024 + 1)],
    ['that is not there', PNG.content, 404],
    ['that is elsewhere', PNG.content, 302],
  ])('is in, without a picture %s', async (_, content, status) => {
    answerWith(content, status)
    const joined = await join(newPerson({ picture: picture() }))
    await expect.poll(() => given, SOON).toBe(1)
    expect(await hasOwn(joined)).toBe(false)
  })

  it('gets none from a private host that other callers can reach', async () => {
    world.settings = { WEBHOOK_ALLOWED_HOSTS: '10.0.0.7:8080' }
    await join(newPerson({ picture: 'http://10.0.0.7:8080/me.png' }))
    await expect.poll(() => given, SOON).toBe(1)
    expect(fetchedElsewhere()).toEqual([])
  })

  it.each([
    'http://pictures.example.com/me.png',
    'https://127.0.0.1/me.png',
    'https://10.0.0.7/me.png',
    'data:image/png;base64,AAAA',
    'me.png',
  ])('makes the server ask nothing at %s', async (address) => {
    const joined = await join(newPerson({ picture: address }))
    await expect.poll(() => given, SOON).toBe(1)
    expect([await hasOwn(joined), fetchedElsewhere()]).toEqual([false, []])
  })

  it('gets none if the owner disabled it; existing users never do', async () => {
    answerWith(PNG.content)
    expectSuccess(await owner.api.patch(`/login_providers/${house}`, { takes_picture: false }))
    const without = await join(newPerson({ picture: picture() }))
    expectSuccess(await owner.api.patch(`/login_providers/${house}`, { takes_picture: true }))
    const { email } = await buildUnused(realm)
    const before = await join(newPerson({ email, picture: picture() }))
    const after = await join(newPerson({ picture: picture() }))
    await expect.poll(() => hasOwn(after), SOON).toBe(true)
    expect([await hasOwn(without), await hasOwn(before)]).toEqual([false, false])
    expect(provider.asked.filter((path) => path === '/picture')).toHaveLength(1)
  })
})

/** Addresses outside the provider that the server has asked. */
function fetchedElsewhere(): string[] {
  return vi
    .mocked(fetch)
    .mock.calls.map(([target]) => String(target))
    .filter((address) => !address.startsWith(provider.issuer()))
}
