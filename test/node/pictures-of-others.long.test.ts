import { Buffer } from 'node:buffer'
import { get } from 'node:http'
import { Response } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { readJson } from '../support/json.ts'
import { found } from './found.ts'

/** Bytes of a picture: more than the buffers of sockets and platform hold while nobody reads. */
const LARGE = 6_000_000
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(LARGE, 7)])

describe('images of other servers, over real sockets', () => {
  let server: LocalServer
  let authorization: string
  const asked: string[] = []

  beforeAll(async () => {
    server = await startLocalServer({
      vars: { LOG: 'troubles' },
      web: ({ url }) => {
        asked.push(url)
        const headers = { 'Content-Type': 'image/png' }
        if (url.endsWith('large.png')) return new Response(Buffer.concat([PNG, PNG]), { headers })
        return new Response(PNG, { headers: { ...headers, 'Content-Length': String(PNG.length) } })
      },
    })
    const { email, api_key } = await found(server)
    authorization = `Basic ${btoa(`${email}:${api_key}`)}`
  }, 120_000)

  afterAll(() => server?.stop(), 60_000)

  async function proxiedUrl(address: string): Promise<string> {
    const response = await fetch(`${server.url}/api/v1/messages/render`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ content: address }),
    })
    const { rendered } = await readJson<{ rendered: string }>(response)
    return server.url + /<img src="([^"]*)">/.exec(rendered)![1]!
  }

  it('arrive whole, and then from the cache', async () => {
    const proxied = await proxiedUrl('https://pictures.example.com/a.png')
    const first = Buffer.from(await (await fetch(proxied)).arrayBuffer())
    expect(first.equals(PNG)).toBe(true)
    await expect
      .poll(async () => {
        const again = await fetch(proxied)
        const whole = Buffer.from(await again.arrayBuffer()).equals(PNG)
        return whole && again.headers.get('cf-cache-status')
      })
      .toBe('HIT')
    expect(asked.filter((url) => url.endsWith('/a.png'))).toHaveLength(1)
  })

  it('arrive at a slow reader, and survive one who leaves', async () => {
    const slow = await proxiedUrl('https://pictures.example.com/slow.png')
    expect(await readSlowly(slow)).toBe(PNG.length)
    const left = await proxiedUrl('https://pictures.example.com/left.png')
    const reader = (await fetch(left)).body!.getReader()
    await reader.read()
    await reader.cancel()
    const again = Buffer.from(await (await fetch(left)).arrayBuffer())
    expect(again.equals(PNG)).toBe(true)
  })

  it('of more than 10 MiB are aborted, and not cached', async () => {
    const proxied = await proxiedUrl('https://pictures.example.com/large.png')
    for (const _again of [1, 2]) {
      const response = await fetch(proxied)
      const bytes = await response.arrayBuffer().then(
        (body) => body.byteLength,
        () => 0,
      )
      expect(bytes).toBeLessThanOrEqual(10 * 1024 * 1024)
      expect(response.headers.get('cf-cache-status')).not.toBe('HIT')
    }
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

/** Returns the number of bytes that arrive at a reader who pauses after each chunk. */
function readSlowly(url: string): Promise<number> {
  return new Promise((done, fail) => {
    get(url, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        response.pause()
        setTimeout(() => response.resume(), 5)
      })
      response.on('end', () => done(bytes))
      response.on('error', fail)
    }).on('error', fail)
  })
}
