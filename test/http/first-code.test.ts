import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { postForm, visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { sha256Hex } from '../support/sha256.ts'

useReliableD1()

const HOST = 'parley.acme.workers.dev'
const FIRST = `http://${HOST}/`
const OWNER = { name: 'Acme', full_name: 'Ann Boss', email: 'ann@example.com', password: 'correct horse' }

it('a deployment without organizations asks for the printed code, and nothing founds without it', async () => {
  const { status, text } = await visit(FIRST)
  expect([status, text.includes('enter the code')]).toEqual([200, true])
  const ticket = await sha256Hex('ticket')
  const noCode = await postForm(`${FIRST}setup`, { code: ' wrong ' })
  expect([noCode.status, noCode.headers.get('location')]).toEqual([303, '/setup/wrong'])
  expect((await visit(`${FIRST}setup/wrong`)).status).toBe(404)
  expect((await postForm(`${FIRST}setup/wrong`, OWNER)).status).toBe(404)
  await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
    .bind(await sha256Hex(ticket), HOST, Math.floor(Date.now() / 1_000))
    .run()
  for (const entered of [ticket, `${FIRST}setup/${ticket}`]) {
    const { headers } = await postForm(`${FIRST}setup`, { code: entered })
    expect(headers.get('location')).toBe(`/setup/${ticket}`)
  }
  expect((await postForm(`${FIRST}setup`, { code: '//evil.test' })).headers.get('location')).toBe(
    '/setup/evil.test',
  )
  const browser = new Browser(HOST)
  const body = new URLSearchParams(OWNER)
  const made = await browser.ask('POST', `/setup/${ticket}`, { body, headers: { Origin: browser.origin } })
  expect(made.status).toBe(302)
  expect((await visit('http://other.test/')).text).not.toContain('enter the code')
})
