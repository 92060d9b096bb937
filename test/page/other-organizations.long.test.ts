import { describe, expect, it } from 'vitest'
import { found, PASSWORD } from '../node/found.ts'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

const { server, browsers } = usePage()

describe.skipIf(CHROMIUM === undefined)(
  'another organization of the deployment',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('shows its unread messages in the menu once its user allows it', async () => {
      const origin = server.url.replace('127.0.0.1', 'other.localhost')
      const founded = await found(server, 'other.localhost')
      const ask = async (user: string, key: string, path: string, fields: Record<string, string>) => {
        const response = await server.runtime.dispatchFetch(`${origin}/api/v1${path}`, {
          method: 'POST',
          headers: { Authorization: `Basic ${btoa(`${user}:${key}`)}` },
          body: new URLSearchParams(fields),
        })
        const answer = fromJson<Record<string, string>>(await response.text())
        expect(answer.result).toBe('success')
        return answer
      }
      const bot = await ask('ann@example.com', founded.api_key, '/bots', {
        full_name: 'Bell',
        short_name: 'bell',
      })
      const ring = () =>
        ask('bell-bot@other.localhost', bot.api_key!, '/messages', {
          type: 'direct',
          to: `[${founded.user_id}]`,
          content: 'Ding',
        })
      const { page } = await browsers.enter(OWNER)
      const menu = page.locator('.top-bar-name')
      await menu.click()
      await page.getByRole('menuitem', { name: 'Add or remove organizations' }).click()
      const dialog = page.getByRole('dialog', { name: 'Your organizations' })
      await dialog.getByLabel('Address').fill(origin)
      await dialog.getByLabel('Name').fill('Harbour')
      await dialog.getByRole('button', { name: 'Add organization' }).click()
      await dialog.getByRole('button', { name: 'Show unread count' }).click()
      await page.getByLabel('Email address').fill('ann@example.com')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText(new URL(server.url).host).waitFor()
      await page.getByRole('button', { name: 'Show the number' }).click()
      await page.getByText('Unread messages in Harbour are shown').waitFor()
      expect(page.url()).toBe(`${server.url}/`)
      await ring()
      await ring()
      await menu.click()
      const item = page.getByRole('menuitem', { name: /Harbour.*2 unread/ })
      await item.waitFor()
      await item.click()
      await page.waitForURL(`${origin}/**`)
    })

    it('comes into the list by a link of the mail that its user wanted', async () => {
      const origin = server.url.replace('127.0.0.1', 'harbour.localhost')
      const host = new URL(server.url).host
      await found(server, 'harbour.localhost')
      const { page } = await browsers.enter(OWNER)
      const openList = async () => {
        await page.locator('.top-bar-name').click()
        await page.getByRole('menuitem', { name: 'Add or remove organizations' }).click()
        return page.getByRole('dialog', { name: 'Your organizations' })
      }
      await (await openList()).getByRole('button', { name: 'Email me my organizations' }).click()
      await page.getByText('Email sent to ann@example.com').waitFor()
      await page.goto(`${server.url}/dev/emails`)
      const letter = page.locator('article', { hasText: `Your organizations at localhost` }).first()
      const link = (await letter.locator('pre').textContent())!
        .split('\n')
        .find((line) => line.startsWith(`${server.url}/#organizations?`) && line.includes('harbour'))!
      expect(new URL(link).host).toBe(host)
      const planted = link.replace(/state=[^&]*/, 'state=x').replaceAll('harbour', 'evil')
      for (const address of [planted, link]) {
        await page.goto('about:blank')
        await page.goto(address)
        await page.locator('.top-bar-name').waitFor()
      }
      await page.getByText('harbour.localhost is in your list of organizations').waitFor()
      const list = await openList()
      expect(await list.getByRole('link', { name: /harbour/ }).getAttribute('href')).toBe(origin)
      expect(await list.getByText('evil').count()).toBe(0)
    })

    it('is found from the log-in page, by the mail that lists it', async () => {
      const { page } = await browsers.open()
      await page.getByRole('link', { name: 'Find your organizations' }).click()
      await page.getByLabel('Email address').fill('ann@example.com')
      await page.getByRole('button', { name: 'Send list' }).click()
      await page.getByText('We sent an email to ann@example.com').waitFor()
      await page.goto(`${server.url}/dev/emails`)
      const letter = page.locator('article', { hasText: `Your organizations at localhost` }).first()
      expect(await letter.locator('pre').textContent()).toContain(`localhost (owner)\n${server.url}/\n`)
    })

    it('adds no organization that the user did not ask for', async () => {
      const planted = new URLSearchParams({ url: 'https://evil.example', state: 'x', key: 'x', name: 'Evil' })
      const { page } = await browsers.enter(OWNER, {}, `/#unread?${planted}`)
      await page.locator('.top-bar-name').click()
      await page.getByRole('menuitem', { name: 'Add or remove organizations' }).waitFor()
      expect(page.url()).toBe(`${server.url}/`)
      expect(await page.getByText('Evil').count()).toBe(0)
    })
  },
)
