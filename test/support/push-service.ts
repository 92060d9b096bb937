import { Buffer } from 'node:buffer'
import { vi } from 'vitest'
import { fromJson } from './json.ts'
import type { SubscribedBrowser } from './subscribed-browser.ts'
import { world } from './world.ts'

export { SubscribedBrowser } from './subscribed-browser.ts'

const utf8 = new TextEncoder()

/** Stands in for the push services of these browsers. All other fetches go where they went before. */
export function serveBrowsers(browsers: readonly SubscribedBrowser[]): void {
  // A second spy would be the first one, and call itself.
  const before = vi.isMockFunction(fetch) ? vi.mocked(fetch).getMockImplementation()! : fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const browser = browsers.find(({ endpoint }) => endpoint === url)
    if (!browser) return before(input, init)
    const request = new Request(input, init)
    browser.requests.push({ headers: request.headers, body: new Uint8Array(await request.arrayBuffer()) })
    world.clockOffset += browser.seconds
    return new Response(null, { status: browser.status })
  })
}

/** Returns the sender's claims to a push service, after checking their signature. */
export async function claimsOf(
  headers: Pick<Headers, 'get'>,
  publicKey: string,
): Promise<Record<string, unknown>> {
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.get('authorization') ?? '') ?? []
  if (key !== publicKey) throw new Error('Signed with another key')
  const [head, claims, signature] = token!.split('.') as [string, string, string]
  const point = Buffer.from(publicKey, 'base64url')
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' }
  const verifying = await crypto.subtle.importKey('raw', point, ecdsa, false, ['verify'])
  const signed = utf8.encode(`${head}.${claims}`)
  const isGood = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    verifying,
    Buffer.from(signature, 'base64url'),
    signed,
  )
  if (!isGood) throw new Error('The signature is wrong')
  return fromJson<Record<string, unknown>>(Buffer.from(claims, 'base64url').toString())
}
