import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const MEMBER = 'Bea Baker'
const { server, browsers } = usePage([MEMBER])

/** The edges of elements from the start of the line, in pixels. */
function boxes(page: Page, selector: string): Promise<{ start: number; end: number; height: number }[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.map((one) => {
      const { left, right, height } = one.getBoundingClientRect()
      const isMirrored = document.documentElement.dir === 'rtl'
      return isMirrored
        ? { start: innerWidth - right, end: innerWidth - left, height }
        : { start: left, end: right, height }
    }),
  )
}

describe.skipIf(CHROMIUM === undefined)(
  'settings, doors and the installed page',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it.each(['en', 'ar'])('settings have rows of 44 px, with controls at one edge: %s', async (language) => {
      const member = await userIdOf(server, MEMBER)
      await operate(server, member, 'update-settings', { default_language: language })
      const { page } = await browsers.enter(MEMBER, { viewport: { width: 1440, height: 900 } })
      await page.goto(`${server.url}/#settings/preferences`)
      await page.locator('.setting-row').first().waitFor()
      await untilStill(page)
      const [frame] = await boxes(page, '.settings')
      expect(frame!.end - frame!.start).toBeLessThanOrEqual(640 + 2 * 24)
      const controls = await boxes(page, '.settings > .part :is(select, [role="switch"])')
      expect(new Set(controls.map(({ end }) => Math.round(end))).size).toBe(1)
      const selects = await boxes(page, '.settings > .part select')
      expect(new Set(selects.map(({ start, end }) => Math.round(end - start)))).toEqual(new Set([220]))
      const rows = await boxes(page, '.settings > .part > .setting-row')
      expect(Math.min(...rows.map(({ height }) => height))).toBeGreaterThanOrEqual(44)
      expect(await page.locator('.settings-list h2').count()).toBeGreaterThanOrEqual(3)
      expect(await page.locator('.settings-list a:not(:has(> .icon))').count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await operate(server, member, 'update-settings', { default_language: 'en' })
    })

    it('the chosen entry of the list does not stand at its edge', async () => {
      const { page } = await browsers.enter(OWNER, { viewport: { width: 1280, height: 600 } }, '/#settings')
      await page.goto(`${server.url}/#organization/cost`)
      await page.locator('.settings-nav [aria-current]').waitFor()
      await page.goto(`${server.url}/#organization/organization-profile`)
      const gap = () =>
        page.evaluate(() => {
          const list = document.querySelector('.settings-list')!.getBoundingClientRect()
          const chosen = document.querySelector('.settings-nav [aria-current]')!.getBoundingClientRect()
          return Math.min(chosen.top - list.top, list.bottom - chosen.bottom)
        })
      await expect.poll(gap).toBeGreaterThanOrEqual(30)
    })

    it('each permission is one field of 320 px, and channels have the frame of settings', async () => {
      const { page } = await browsers.enter(OWNER, { viewport: { width: 1440, height: 900 } })
      for (const hash of ['#channels/1/general/permissions', '#organization/organization-permissions']) {
        await page.goto(`${server.url}/${hash}`)
        await page.locator('.grants').first().waitFor()
        const fields = await boxes(page, '.grants')
        expect(new Set(fields.map(({ start, end }) => Math.round(end - start)))).toEqual(new Set([320]))
        expect(new Set(fields.map(({ end }) => Math.round(end))).size).toBe(1)
      }
      const frames: number[] = []
      for (const [hash, frame] of [
        ['#channels', '.channels'],
        ['#channels/new', '.channel-settings'],
        ['#channels/1/general/general', '.channel-settings'],
      ] as const) {
        await page.goto(`${server.url}/${hash}`)
        await page.locator(frame).waitFor()
        const [box] = await boxes(page, frame)
        frames.push(box!.start, box!.end)
      }
      expect(new Set(frames.map(Math.round)).size).toBe(2)
    })

    it('show what is chosen, unread and switched on in the system’s colours', async () => {
      await operate(server, await userIdOf(server, MEMBER), 'send-message', {
        type: 'channel',
        to: ['general'],
        topic: 'colours',
        content: 'Unread',
      })
      const { page } = await browsers.enter(OWNER, { forcedColors: 'active' })
      const groundOf = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((one) => getComputedStyle(one).backgroundColor)
      await page.locator('.sidebar-row[aria-current]').waitFor()
      await expect
        .poll(async () => (await groundOf('.sidebar-row[aria-current]')) !== (await groundOf('.sidebar')))
        .toBe(true)
      await page.goto(`${server.url}/#narrow/channel/1-general/topic/colours`)
      await page.locator('.unread-line').waitFor()
      const line = await page
        .locator('.unread-line')
        .evaluate((one) => getComputedStyle(one, '::before').blockSize)
      expect(line).toBe('3px')
      await page.goto(`${server.url}/#settings/preferences`)
      await page.locator('[role="switch"]:checked').first().waitFor()
      expect(await groundOf('[role="switch"]:checked')).not.toBe(
        await groundOf('[role="switch"]:not(:checked)'),
      )
    })

    it('print a conversation whole, and dark on white', async () => {
      const content = `${Array.from({ length: 60 }, (_, at) => `Line ${at}`).join('\n\n')}`
      await operate(server, await userIdOf(server, OWNER), 'send-message', {
        type: 'channel',
        to: ['general'],
        topic: 'paper',
        content,
      })
      const { page } = await browsers.enter(OWNER, { colorScheme: 'dark' })
      await page.goto(`${server.url}/#narrow/channel/1-general/topic/paper`)
      await page.locator('.message').first().waitFor()
      await untilStill(page)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.sidebar').isVisible()).toBe(false)
      expect(await page.locator('.compose').isVisible()).toBe(false)
      const { list, whole, ground } = await page.evaluate(() => ({
        list: document.querySelector('.messages')!.clientHeight,
        whole: document.documentElement.scrollHeight,
        ground: getComputedStyle(document.body).backgroundColor,
      }))
      expect(list).toBeGreaterThan(900)
      expect(whole).toBeGreaterThanOrEqual(list)
      expect(ground).toBe('rgb(255, 255, 255)')
    })

    it('a wrong password moves nothing, and says why at the field', async () => {
      const { page, complaints } = await browsers.open()
      const password = page.getByLabel('Password', { exact: true })
      await page.getByLabel('Email address').fill('bea@example.com')
      await password.fill('wrong')
      const before = await page.getByLabel('Email address').boundingBox()
      await page.getByRole('button', { name: 'Log in' }).click()
      const alert = page.getByRole('alert')
      await alert.waitFor()
      expect(await page.getByLabel('Email address').boundingBox()).toEqual(before)
      const [field, words] = [await password.boundingBox(), await alert.boundingBox()]
      expect(words!.y - (field!.y + field!.height)).toBeLessThan(16)
      expect(await password.getAttribute('aria-invalid')).toBe('true')
      expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
      await password.fill(PASSWORD)
      await page.getByRole('button', { name: 'Show password' }).click()
      expect(await password.getAttribute('type')).toBe('text')
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.locator('.app-shell').waitFor()
    })

    it('the installed page has pictures, shortcuts, and takes what is shared', async () => {
      const manifest = await readJson<{
        id: string
        icons: { src: string; sizes: string; type: string; purpose: string }[]
        shortcuts: { name: string }[]
      }>(await fetch(`${server.url}/manifest.webmanifest`))
      expect(manifest.id).toBe('./')
      expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
        'any any',
        '192x192 any maskable',
        '512x512 any maskable',
      ])
      for (const { src, type } of manifest.icons) {
        const icon = await fetch(new URL(src, server.url))
        expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type])
      }
      expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['Inbox', 'Mentions', 'Direct messages'])
      const shared = new URLSearchParams({ text: 'Look at this', url: 'https://example.com/tea' })
      const { page } = await browsers.enter(OWNER, {}, `/?${shared}`)
      const box = page.locator('.compose-text')
      await expect.poll(() => box.inputValue()).toBe('Look at this\nhttps://example.com/tea')
      expect(new URL(page.url()).search).toBe('')
    })

    it('the icon of the tab shows whether something is unread for the user', async () => {
      const { page } = await browsers.enter(OWNER)
      const icon = () =>
        page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href)
      await operate(server, await userIdOf(server, MEMBER), 'send-message', {
        type: 'direct',
        to: [await userIdOf(server, OWNER)],
        content: 'Psst',
      })
      await expect.poll(icon).toContain('circle')
    })

    it('a service is connected by one click, and its first message comes at once', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByRole('button', { name: 'GitHub', exact: true }).click()
      await page.getByRole('dialog').getByText('Sent · GitHub').waitFor()
      const address = await page.getByLabel('Webhook URL').inputValue()
      expect(address).toContain('/external/github?api_key=')
      expect(await violations(page)).toEqual([])
      const { page: inbox } = await browsers.enter(OWNER)
      await inbox.locator('.sidebar').getByText('GitHub').first().waitFor()
    })

    it('a new link of invitation stands once on the page', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('Revoke').first().waitFor()
      await expect.poll(() => page.locator('.settings-key').count()).toBe(1)
      await page.reload()
      await expect.poll(() => page.locator('.settings-key').count()).toBe(1)
    })
  },
)
