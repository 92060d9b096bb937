import { afterEach, describe, expect, it, vi } from 'vitest'
import { isAllowedTarget } from '../../src/core/outgoing-target.ts'
import { callOut, ForbiddenTargetError } from '../../src/outgoing/call-out.ts'
import { fetchWebsite, readWebsite } from '../../src/outgoing/previews/attempt.ts'
import { postWebhook } from '../../src/outgoing/webhooks/attempt.ts'
import { PRIVATE_ADDRESSES } from '../support/private-addresses.ts'

afterEach(() => vi.restoreAllMocks())

describe('a URL from a user may be called', () => {
  it.each([
    'https://example.com/hook',
    'http://example.com:8080/',
    'https://hooks.example.com.:8443/a?b=c',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'http://93.184.216.34/',
    'http://172.32.0.1/',
    'http://168.63.129.17/',
    'http://[2606:2800:220:1::1]/',
  ])('when it is of the public network: %s', (address) => {
    expect(isAllowedTarget(address)).toBe(true)
  })

  it('and not when it is private, however it is spelled', () => {
    expect(PRIVATE_ADDRESSES.filter((address) => isAllowedTarget(address))).toEqual([])
  })

  it('and at configured addresses, with exactly their port', () => {
    expect(isAllowedTarget('http://localhost:9000/hook', ['localhost:9000'])).toBe(true)
    expect(isAllowedTarget('http://localhost:9001/hook', ['localhost:9000'])).toBe(false)
    expect(isAllowedTarget('ftp://localhost:9000/hook', ['localhost:9000'])).toBe(false)
  })
})

/** Stands in for the web. Returns the answers for the addresses of a test, which nobody else uses. */
function web(answer: (url: string) => Response): string[] {
  const asked: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    asked.push(String(url))
    return answer(String(url))
  })
  return asked
}

/** Headers are ASCII: other characters are percent-encoded. */
const redirectTo = (location: string) =>
  new Response(null, {
    status: 302,
    headers: { Location: location.replace(/[^ -~]/gu, (char) => encodeURIComponent(char)) },
  })

const POST = { headers: {}, body: '{}' }
const HOOK = 'https://hook.outgoing-target.example.com/'

describe('no private address is called', () => {
  it('by a request to a URL from a user', async () => {
    const asked = web(() => new Response('{}'))
    for (const url of PRIVATE_ADDRESSES) {
      const call = {
        url,
        named: { by: 'user', allowedHosts: [] },
        init: {},
        timeoutMs: 100,
        maxBytes: 1,
      } as const
      await expect(callOut(call)).rejects.toThrow(ForbiddenTargetError)
    }
    expect(asked).toEqual([])
  })

  it('by an outgoing webhook, neither directly nor by a redirect', async () => {
    const asked = web((url) => redirectTo(PRIVATE_ADDRESSES[Number(new URL(url).searchParams.get('n'))]!))
    for (const [n, url] of PRIVATE_ADDRESSES.entries()) {
      expect(await postWebhook({ ...POST, url }, [])).toMatchObject({ kind: 'failed' })
      expect(await postWebhook({ ...POST, url: `${HOOK}?n=${n}` }, [])).toMatchObject({ kind: 'failed' })
    }
    expect(asked).toEqual(PRIVATE_ADDRESSES.map((_, n) => `${HOOK}?n=${n}`))
  })

  it('by a website preview, neither directly nor after up to three redirects', async () => {
    const site = 'https://site.outgoing-target.example.com/'
    const asked = web((url) => {
      const { searchParams } = new URL(url)
      const [n, left] = [Number(searchParams.get('n')), Number(searchParams.get('left'))]
      return redirectTo(left > 0 ? `/?n=${n}&left=${left - 1}` : PRIVATE_ADDRESSES[n]!)
    })
    for (const [n, address] of PRIVATE_ADDRESSES.entries()) {
      expect(await fetchWebsite(address)).toBeNull()
      expect(await fetchWebsite(`${site}?n=${n}&left=${n % 3}`)).toBeNull()
    }
    // Relative addresses were requested from the site itself; nothing else was requested.
    expect(asked.filter((url) => !url.startsWith(site))).toEqual([])
    expect(asked.length).toBeGreaterThan(PRIVATE_ADDRESSES.length)
  })

  it('by readers of a preview, whose image is on the public network, too', async () => {
    for (const image of PRIVATE_ADDRESSES.filter((address) => URL.canParse(address))) {
      const html = `<meta property="og:image" content="${image.replaceAll('"', '&quot;')}">`
      expect([image, await readWebsite({ address: 'https://example.com/', html })]).toEqual([image, null])
    }
  })
})

it('redirects of configured services are not followed', async () => {
  const asked = web(() => redirectTo('http://169.254.169.254/'))
  const url = 'http://10.0.0.7:3000/mail'
  const call = {
    url,
    named: { by: 'deployment' },
    init: { method: 'POST' },
    timeoutMs: 100,
    maxBytes: 1,
  } as const
  expect((await callOut(call)).response.status).toBe(302)
  expect(asked).toEqual([url])
  expect(vi.mocked(globalThis.fetch).mock.calls[0]![1]).toMatchObject({ redirect: 'manual' })
})
