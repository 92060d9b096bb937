import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

interface Call {
  readonly headers: Record<string, string>
  readonly body: string
}

let calls: Call[] = []
let status = 200
/** The server that is called. */
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    calls.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(status).end(status === 200 ? '{"content": "Heard."}' : 'out of order')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as { port: number }

const { server, browsers } = usePage([], { vars: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } })
afterAll(() => void receiver.close())
beforeEach(() => {
  calls = []
  status = 200
})

describe.skipIf(CHROMIUM === undefined)(
  'outgoing webhooks in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    let bot = 0
    const write = async (content: string) =>
      operate(server, await userIdOf(server, OWNER), 'send-message', { type: 'direct', to: [bot], content })
    const nextCall = async (n: number) => {
      await expect.poll(() => calls.length, { timeout: 20_000 }).toBe(n)
      return calls.at(-1)!
    }
    const verifies = (secret: string, { headers, body }: Call) => {
      try {
        new Webhook(secret).verify(body, headers)
        return true
      } catch {
        return false
      }
    }
    let secret = ''

    it('show the secret once, when the bot is made, and it verifies calls', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByLabel('Type').selectOption('3')
      await page.getByLabel('Name', { exact: true }).fill('Bell')
      await page.getByLabel('Username').fill('bell')
      await page.getByLabel('Endpoint URL').fill(`http://127.0.0.1:${port}/in`)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      secret = (await page.locator('.settings-key code').textContent())!
      expect(secret).toMatch(/^whsec_/)
      const { bots } = await operate(server, await userIdOf(server, OWNER), 'get-bots', {})
      bot = (bots as { user_id: number }[])[0]!.user_id
      await write('ring')
      expect(verifies(secret, await nextCall(1))).toBe(true)
      await page.reload()
      await page.getByRole('button', { name: 'Show key: Bell' }).waitFor()
      expect(await page.locator('.settings-key').count()).toBe(0)
    })

    it('make another secret, while the former keeps signing', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByRole('button', { name: 'Edit Bell' }).click()
      await page.getByText('The secret can’t be shown again').waitFor()
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('dialog').last().getByRole('button', { name: 'New secret' }).click()
      const next = (await page.locator('.settings-key code').textContent())!
      expect(next).not.toBe(secret)
      await write('ring again')
      const call = await nextCall(1)
      expect([verifies(secret, call), verifies(next, call)]).toEqual([true, true])
    })

    it('are called for other events when they are switched on', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByRole('button', { name: 'Edit Bell' }).click()
      await page.getByLabel('Message in a channel').check()
      await page.getByText('Saved', { exact: true }).waitFor()
      await operate(server, await userIdOf(server, OWNER), 'send-message', {
        type: 'channel',
        to: ['general'],
        topic: 'bells',
        content: 'for everybody',
      })
      const call = fromJson((await nextCall(1)).body)
      expect([call.trigger, call.data]).toEqual(['message', 'for everybody'])
      await page
        .getByLabel('Channels: Message in a channel')
        .selectOption({ label: 'Only selected channels' })
      await page.getByRole('checkbox', { name: '#general' }).click()
      await page.getByText('Only in 1 channel.').waitFor()
      await page.getByLabel(/^Message in a channel/).uncheck()
      await expect.poll(() => page.getByText('Saved').count()).toBeGreaterThan(0)
    })

    it('list the last calls with their answers, and send one again', async () => {
      status = 404
      await write('anybody?')
      const first = await nextCall(1)
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByRole('button', { name: 'Edit Bell' }).click()
      const newest = page.locator('.dialog .item').first()
      await newest.getByText('404 · Direct message').waitFor()
      await newest.locator('summary').click()
      await newest.getByText('out of order').waitFor()
      expect(await violations(page)).toEqual([])
      status = 200
      await newest.getByRole('button', { name: /^Redeliver/ }).click()
      const second = await nextCall(2)
      expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
      expect(fromJson(second.body).data).toBe('anybody?')
      await newest.getByText('200 · Direct message').waitFor()
    })
  },
)
