import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import { startPage } from './open-page.ts'

let server: LocalServer
beforeAll(async () => {
  server = await startPage()
})
afterAll(() => server.stop())

it('the page may ask the provider of GIFs whose key there is', async () => {
  const before = await fetch(server.url)
  const known = { 'If-None-Match': before.headers.get('etag')! }
  for (const [name, search, pictures] of [
    ['GIPHY_API_KEY', 'https://api.giphy.com', 'https://*.giphy.com'],
    ['TENOR_API_KEY', 'https://tenor.googleapis.com', 'https://media.tenor.com'],
  ] as const) {
    const other = await startPage([], { vars: { [name]: 'key' } })
    try {
      const answer = await fetch(`${other.url}/`, { headers: known })
      expect(answer.status).toBe(200)
      const policy = answer.headers.get('content-security-policy')!
      expect(policy.match(/https?:[^ ;]+/g)).toEqual([pictures, search])
      expect(policy).toContain(`; img-src 'self' data: blob: ${pictures};`)
      expect(policy).toContain(`; connect-src 'self' ${search};`)
    } finally {
      await other.stop()
    }
  }
})
