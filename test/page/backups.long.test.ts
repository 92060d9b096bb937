import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const { server, browsers } = usePage()

const WAIT = { timeout: 60_000 }

/** Presses a button of a question that the page asks. */
function confirm(page: Page, name: string): Promise<void> {
  return page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

describe.skipIf(CHROMIUM === undefined)(
  'backups in a browser',
  needs(A_BROWSER, { timeout: 240_000 }),
  () => {
    it('give back a topic, open as a copy, and replace the organization', async () => {
      const ann = await userIdOf(server, OWNER)
      const say = (content: string) =>
        operate(server, ann, 'send-message', { type: 'channel', to: 'general', topic: 'boats', content })
      await say('The engine is loud.')
      const { page, complaints } = await browsers.enter(OWNER, {}, '/#organization/data-exports-admin')
      const backups = page.locator('.part', { hasText: 'Back up now' })
      await backups.getByRole('button', { name: 'Back up now' }).click()
      const compare = backups.getByRole('button', { name: 'Compare', exact: true })
      await compare.first().waitFor(WAIT)
      expect(await violations(page)).toEqual([])
      const { stream_id } = await operate(server, ann, 'get-stream-id', { stream: 'general' })
      await operate(server, ann, 'delete-topic', { stream_id, topic_name: 'boats' })

      await compare.first().click()
      await page.getByRole('button', { name: 'Compare with today' }).click()
      const gone = page.locator('.item', { hasText: /#general > boats/i })
      await gone.waitFor(WAIT)
      expect(await violations(page)).toEqual([])

      await page.getByRole('button', { name: 'Look at a copy' }).click()
      await confirm(page, 'Look at a copy')
      const link = page.getByRole('link', { name: 'Open the copy' })
      const href = (await link.getAttribute('href'))!
      const seat = await browsers.open({}, '/')
      await expect.poll(() => seat.page.goto(href).then((answer) => answer?.status()), WAIT).toBe(200)
      await seat.page.getByRole('button', { name: 'Log in' }).click()
      await seat.page.locator('.copy-banner').waitFor(WAIT)
      await seat.page.getByText('The engine is loud.').first().waitFor(WAIT)
      seat.complaints.splice(0)

      await gone.getByRole('button', { name: 'Give back' }).click()
      await confirm(page, 'Give back')
      await page.getByText('1 message given back').waitFor(WAIT)

      await say('Written since.')
      await page.goto(new URL('/#organization/data-exports-admin', page.url()).href)
      await page.reload()
      await backups
        .getByRole('button', { name: /^Restore the backup/ })
        .first()
        .click()
      await confirm(page, 'Restore')
      await page.getByLabel('Email').or(page.getByText('has replaced the organization')).first().waitFor(WAIT)
      const again = await browsers.enter(OWNER, {}, '/')
      await again.page.getByText('The engine is loud.').first().waitFor(WAIT)
      expect(await again.page.getByText('Written since.').count()).toBe(0)
      complaints.splice(0)
      again.complaints.splice(0)
    })
  },
)
