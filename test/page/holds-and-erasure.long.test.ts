import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const HELD = 'Bea Baker'
const GONE = 'Cal Cook'

const { browsers } = usePage([HELD, GONE])

describe.skipIf(CHROMIUM === undefined)(
  'holds and erasure in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('puts a person on hold, whom nobody erases until it is released', async () => {
      const { page, complaints } = await browsers.enter(OWNER, {}, '/#organization/holds')
      const place = page.locator('.part', { hasText: 'New hold' })
      await place.getByLabel('Person').last().fill('bea')
      await place.getByRole('button', { name: `Choose: ${HELD}` }).click()
      await place.getByLabel('Reason').fill('Case 12')
      await place.getByRole('button', { name: 'Put on hold' }).click()
      const item = page.locator('.item', { hasText: 'Case 12' })
      await item.getByText(HELD).waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByLabel('Whom to erase').fill('bea')
      await page.getByRole('button', { name: `Erase: ${HELD}` }).click()
      await page.getByRole('button', { name: 'Erase', exact: true }).last().click()
      await page.getByRole('button', { name: 'Erase', exact: true }).last().click()
      await page.getByText('This account is on hold, so nothing of it can be deleted.').waitFor()
      expect(complaints.splice(0)).toEqual([expect.stringContaining('400')])
      await page.keyboard.press('Escape')
      await item.getByRole('button', { name: `Release ${HELD}` }).click()
      await page.getByRole('button', { name: 'Release', exact: true }).last().click()
      await page.getByText('Nothing is on hold.').waitFor()
    })

    it('erases a person, and shows a certificate that does not name them', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users')
      await page.getByRole('button', { name: `Edit ${GONE}` }).click()
      await page.getByRole('button', { name: 'Erase…' }).click()
      await page.getByLabel('Messages').last().selectOption('remove')
      await page.getByRole('button', { name: 'Erase', exact: true }).last().click()
      await page.getByRole('button', { name: 'Erase', exact: true }).last().click()
      await page.getByText('The person is being erased.').waitFor()
      await page.goto(new URL('/#organization/holds', page.url()).href)
      const item = page.locator('.item', { hasText: 'Deleted user' })
      await item.getByRole('button', { name: /Certificate of erasure/ }).click()
      const certificate = page.locator('.certificate')
      await certificate.waitFor()
      const text = (await certificate.textContent())!
      for (const words of ['Remove, with reactions and votes', 'user: 1', 'account: 1'])
        expect(text).toContain(words)
      expect(text).not.toContain('Cal')
      expect(await violations(page)).toEqual([])
    })
  },
)
