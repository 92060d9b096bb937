import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const { server, browsers } = usePage()

const PING = { zen: 'Keep it simple.', hook_id: 1, repository: { full_name: 'team/tools', name: 'tools' } }

/** Opens the settings of the bot. */
async function openBot(page: Page, name = 'Watcher'): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await page.getByRole('combobox', { name: 'Service' }).waitFor()
}

/** Shows the address, which has the bot's key. */
async function showAddress(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show address' }).click()
  await page.getByLabel('Webhook URL').waitFor()
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.status
}

describe.skipIf(CHROMIUM === undefined)(
  'incoming webhooks in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    beforeAll(async () => {
      const owner = await userIdOf(server, OWNER)
      await operate(server, owner, 'create-bot', {
        full_name: 'Watcher',
        short_name: 'watcher',
        bot_type: 2,
        payload_url: '',
        interface_type: 1,
      })
    })

    it('open for connecting as soon as they are made', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/profile')
      await page.getByLabel('Search settings').fill('integrations')
      await page.getByRole('link', { name: /Bots and integrations/ }).click()
      await page.getByText('Integrations for GitHub').last().waitFor()
      await page.getByLabel('Type').selectOption('2')
      await page.getByLabel('Name', { exact: true }).fill('NewMember')
      await page.getByLabel('Username').fill('newcomer')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('No posts yet.').waitFor()
    })

    it('have no address before a service is chosen, and then that of the last post', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await openBot(page, 'NewMember')
      const services = page.getByRole('combobox', { name: 'Service' })
      const address = page.getByLabel('Webhook URL')
      await page.getByText('No posts yet.').waitFor()
      expect(await services.inputValue()).toBe('')
      expect(await address.count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await services.selectOption({ label: 'GitHub' })
      await showAddress(page)
      expect(await post(await address.inputValue(), PING, { 'X-GitHub-Event': 'ping' })).toBe(200)
      await page.getByRole('button', { name: 'Close' }).click()
      await openBot(page, 'NewMember')
      await showAddress(page)
      await address.waitFor()
      expect(await services.inputValue()).toBe('github')
    })

    it('connect a service by an address that follows the choices', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await openBot(page)
      const address = page.getByLabel('Webhook URL')
      const params = async () => new URL(await address.inputValue()).searchParams
      await page.getByRole('combobox', { name: 'Service' }).selectOption({ label: 'GitHub' })
      await showAddress(page)
      expect((await params()).get('stream')).toBe(null)
      await page.getByRole('combobox', { name: 'Posts to' }).selectOption({ label: '#general' })
      await page.getByLabel('Topic', { exact: true }).fill('code & more')
      await page
        .getByRole('combobox', { name: 'Events', exact: true })
        .selectOption({ label: 'All except selected events' })
      await page.getByLabel('push_tags').check()
      await page.getByLabel(/by branches/).fill('main')
      await page.getByRole('combobox', { name: /private repositories/ }).selectOption({ label: 'Yes' })
      expect(await violations(page)).toEqual([])
      const url = await address.inputValue()
      expect(Object.fromEntries(await params())).toMatchObject({
        topic: 'code & more',
        exclude_events: '["push_tags"]',
        branches: 'main',
        ignore_private_repositories: 'true',
      })
      await page.getByText('choose application/json').waitFor()
      await page.getByText('In GitHub', { exact: true }).waitFor()
      await page.getByText('GitHub: the field Secret of the webhook.').waitFor()
      expect(await post(url, PING, { 'X-GitHub-Event': 'ping' })).toBe(200)
      expect(await post(url, PING, { 'X-GitHub-Event': 'project' })).toBe(200)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('Rejected · GitHub · project').waitFor()
      await page.getByText('Sent · GitHub · ping').waitFor()
      const test = page.getByRole('button', { name: 'Send test' })
      await test.click()
      await page.getByText('Test message sent.').waitFor()
      await page.getByText('Sent · GitHub · opened_pull_request').waitFor()
      await test.click()
      await page.getByText('Sent · GitHub · opened_pull_request').nth(1).waitFor()
      await page.getByLabel('opened_pull_request', { exact: true }).check()
      await test.click()
      await page.getByText('your event filter skips it').waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('combobox', { name: 'Service' }).selectOption({ label: 'Slack' })
      await page.getByText('Slack doesn’t sign its posts').waitFor()
      await page.getByText('In the service', { exact: true }).waitFor()
      await page.getByLabel('URL format').selectOption({ label: 'Slack-compatible' })
      const slack = await address.inputValue()
      expect(slack).toContain('/services/T00000000/B00000000/')
      expect(await post(slack, { text: 'As at Slack.' })).toBe(200)
      await test.click()
      await page.getByText('Test message sent.').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.goto(`${server.url}/#narrow/channel/1-general/topic/code.20.26.20more`)
      await page.locator('.message').getByText('GitHub webhook has been successfully configured').waitFor()
      await page.locator('.message').getByText('(assigned to grace) from count-turns').nth(1).waitFor()
      await page.locator('.message').getByRole('heading', { name: 'Deploy' }).waitFor()
      await page.locator('.message').getByText('As at Slack.').waitFor()
    })

    it('take a secret, keep the one before it for a while, and lose it', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      const { page } = seat
      await openBot(page)
      await page.getByRole('combobox', { name: 'Service' }).selectOption({ label: 'GitHub' })
      await showAddress(page)
      const url = await page.getByLabel('Webhook URL').inputValue()
      const ping = (secret: string) => {
        const signature = createHmac('sha256', secret).update(JSON.stringify(PING)).digest('hex')
        return post(url, PING, { 'X-GitHub-Event': 'ping', 'X-Hub-Signature-256': `sha256=${signature}` })
      }
      const field = page.getByLabel('New secret')
      await field.fill('first')
      await page.getByRole('button', { name: 'Set secret' }).click()
      await page.getByText('A secret is set.').waitFor()
      expect(await field.inputValue()).toBe('')
      expect([await ping('first'), await ping('second')]).toEqual([200, 400])
      await field.fill('second')
      await page.getByRole('button', { name: 'Replace secret' }).click()
      await page.getByText('Two secrets work').waitFor()
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Test message sent.').waitFor()
      await page.getByRole('combobox', { name: 'Service' }).selectOption({ label: 'Alertmanager' })
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Webhook signature verification failed.').first().waitFor()
      await page.getByText('Rejected · Alertmanager').waitFor()
      await page.getByRole('combobox', { name: 'Service' }).selectOption({ label: 'GitHub' })
      expect([await ping('first'), await ping('second')]).toEqual([200, 200])
      await page.getByRole('button', { name: 'Remove secret' }).click()
      await page.getByRole('dialog').last().getByRole('button', { name: 'Remove secret' }).click()
      await page.getByText('No secret').waitFor()
      expect(await ping('any')).toBe(200)
      await page.getByLabel('Let mentions notify people').check()
      await page.getByText('Saved', { exact: true }).waitFor()
      expectRefusals(seat)
    })

    it('preview a template with a sample, and mark its errors', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      const { page } = seat
      await openBot(page)
      await page.getByRole('combobox', { name: 'Service' }).selectOption('template')
      const preview = page.getByRole('region', { name: 'Preview' })
      const text = page.getByLabel('Message template')
      const sample = page.getByLabel('Sample payload')
      await preview.getByText('Backup finished').waitFor()
      await page.getByLabel('Topic template').fill('{{host.name}}')
      await sample.fill('{"host": {"name": "db-7"}, "title": "*Disk* full", "url": "https://example.com/7"}')
      await text.fill('[{{title}}]({{url}}) at {{host.name}}')
      await preview.getByRole('link', { name: '*Disk* full' }).waitFor()
      await preview.getByText('db-7', { exact: true }).waitFor()
      const size = await page.locator('.webhook-template').boundingBox()

      await text.fill('{{title | shout}}')
      await page.getByText('Invalid template: there is no filter shout.').waitFor()
      expect(await text.getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByLabel('Topic template').getAttribute('aria-invalid')).toBe(null)
      expect((await page.locator('.webhook-template').boundingBox())?.height).toBe(size?.height)
      expect(await violations(page)).toEqual([])
      await text.fill('**{{title}}** at {{host.name}}')
      await page.getByLabel('Topic template').fill('{{')
      await page.getByText('Invalid template: a value has no end').waitFor()
      expect(await page.getByLabel('Topic template').getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Topic template').fill('{{host.name}}')
      await sample.fill('{')
      await page.getByText('Enter a JSON object or array.').waitFor()
      await sample.fill('{"title": "Again"}')
      await preview.locator('strong', { hasText: 'Again' }).waitFor()

      await page.getByRole('combobox', { name: 'Posts to' }).selectOption({ label: '#general' })
      await page.getByRole('button', { name: 'Save template' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      await showAddress(page)
      const url = await page.getByLabel('Webhook URL').inputValue()
      expect(await post(url, { host: { name: 'db-7' }, title: 'Disk full' })).toBe(200)
      await sample.fill('{"title": "Disk mended", "host": {"name": "db-7"}}')
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Test message sent.').waitFor()
      expectRefusals(seat)
      await page.goto(`${server.url}/#narrow/channel/1-general/topic/db-7`)
      await page.locator('.message').getByText('Disk full at db-7').waitFor()
      await page.locator('.message').getByText('Disk mended at db-7').waitFor()
    })

    it('send a test to the default channel where an address like Slack’s names none', async () => {
      const owner = await userIdOf(server, OWNER)
      await operate(server, owner, 'create-bot', {
        full_name: 'Defaulter',
        short_name: 'defaulter',
        bot_type: 2,
        payload_url: '',
        interface_type: 1,
        default_sending_stream: 'general',
      })
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByRole('button', { name: 'Edit Defaulter' }).click()
      const services = page.getByRole('combobox', { name: 'Service' })
      for (const [service, form] of [
        ['Slack', 'Slack-compatible'],
        ['Discord', 'Discord-compatible'],
      ] as const) {
        await services.selectOption({ label: service })
        await page.getByLabel('URL format').selectOption({ label: form })
        await page
          .getByRole('combobox', { name: 'Posts to' })
          .getByText('default channel')
          .waitFor({ state: 'attached' })
        await page.getByRole('button', { name: 'Send test' }).click()
        await page.getByText('Test message sent.').waitFor()
      }
      await page.getByRole('button', { name: 'Close' }).click()
      await page.goto(`${server.url}/#narrow/channel/1-general`)
      await page.locator('.message').getByText('All green.').waitFor()
      await page.locator('.message').getByRole('heading', { name: 'Deploy' }).last().waitFor()
    })
  },
)
