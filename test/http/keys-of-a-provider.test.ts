import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { standInForProvider } from '../support/identity-provider.ts'
import { connectTo } from '../support/login-identities.ts'
import { usePerTest, useRealm } from '../support/use-realm.ts'

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { ann: 'member' })
const provider = standInForProvider(realm)

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/** Keys with which the provider signs; isolates keep them by the provider's address, so every test has a provider of its own. */
let organizations = 0
let slug: string
let present: { readonly pair: Pair; readonly kid: string; readonly alg: string }
let keysAt: string

async function signWith(kid: string, alg = 'ES256'): Promise<void> {
  present = { pair: await generateKeyPair(alg, { extractable: true }), kid, alg }
}

/** The provider below a path of its own. */
const issuer = () => `${provider.issuer()}/${slug}`

beforeEach(async () => {
  organizations += 1
  slug = `house-${organizations}`
  keysAt = 'keys'
  await signWith('one')
  const metadata = () => ({
    issuer: issuer(),
    authorization_endpoint: `${issuer()}/authorize`,
    token_endpoint: `${provider.issuer()}/token`,
    jwks_uri: `${issuer()}/${keysAt}`,
    id_token_signing_alg_values_supported: [present.alg],
  })
  const keys = async () => {
    const { pair, kid, alg } = present
    return Response.json({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg }] })
  }
  provider.files.clear()
  provider.files.set(`/${slug}/.well-known/openid-configuration`, () => Response.json(metadata()))
  provider.files.set(`/${slug}/keys`, () => (keysAt === 'keys' ? keys() : new Response('', { status: 404 })))
  provider.files.set(`/${slug}/keys-of-now`, keys)
  provider.sign = (claims, header = {}) => {
    const now = Math.floor(Date.now() / 1_000)
    return new SignJWT({ iss: issuer(), aud: 'parley', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: present.alg, kid: present.kid, ...header })
      .sign(present.pair.privateKey)
  }
  const id = await provider.add(realm.owner, slug, { issuer: issuer() })
  await connectTo(realm, id, people.ann)
})

const logIn = async () => (await provider.logIn({ sub: `subject of ${people.ann.id}` }, { slug })).status
const fetched = (path: string) => provider.asked.filter((asked) => asked === `/${slug}/${path}`).length

/** Anybody's post, with a key that nobody has. */
async function postInvented(kid: string): Promise<number> {
  const by = await generateKeyPair('ES256')
  const logout_token = await new SignJWT({ iss: issuer(), aud: 'parley', jti: 'x', events: {} })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuedAt()
    .sign(by.privateKey)
  const body = new URLSearchParams({ logout_token })
  return (await new Browser(realm.host).ask('POST', `/accounts/logout/backchannel/${slug}`, { body })).status
}

describe('keys of a provider', () => {
  it('that are new let people in at once, whatever anybody has posted', async () => {
    expect(await logIn()).toBe(302)
    for (const kid of ['invented', 'one', 'another']) expect(await postInvented(kid)).toBe(400)
    // What anybody posts costs one fetch a minute.
    expect(fetched('keys')).toBe(2)
    await signWith('two')
    expect(await logIn()).toBe(302)
    expect(fetched('keys')).toBe(3)
  })

  it('that are new under the old name let people in at once', async () => {
    expect(await logIn()).toBe(302)
    await signWith('one')
    expect(await logIn()).toBe(302)
    await signWith('one')
    // Once a minute.
    expect(await logIn()).toBe(400)
  })

  it('of another algorithm let people in at once', async () => {
    expect(await logIn()).toBe(302)
    await signWith('two', 'RS256')
    expect(await logIn()).toBe(302)
    expect(fetched('.well-known/openid-configuration')).toBe(2)
  })

  it('at another address let people in at once', async () => {
    expect(await logIn()).toBe(302)
    keysAt = 'keys-of-now'
    await signWith('two')
    expect(await logIn()).toBe(302)
  })

  it('that never fit cost one fetch of keys and metadata a minute', async () => {
    expect(await logIn()).toBe(302)
    const { sign } = provider
    provider.sign = (claims, header) => sign(claims, { ...header, kid: 'unknown' })
    for (const _ of [1, 2, 3]) expect(await logIn()).toBe(400)
    expect([fetched('keys'), fetched('.well-known/openid-configuration')]).toEqual([2, 2])
  })
})
