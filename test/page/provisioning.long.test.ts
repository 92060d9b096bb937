import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const { server, browsers } = usePage(['Bea Baker'])

describe.skipIf(CHROMIUM === undefined)(
  'provisioning in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('shows a token once, which then opens the organization until it is removed', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/provisioning')
      const keys = page.locator('.settings-key code')
      const ask = async (token: string) => {
        const headers = { Authorization: `Bearer ${token}` }
        return (await fetch(`${server.url}/scim/v2/Users`, { headers })).status
      }
      expect(await keys.first().textContent()).toBe(`${server.url}/scim/v2`)
      await page.getByText('No token.').waitFor()
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('not used yet').waitFor()
      await page.getByRole('button', { name: 'Replace token' }).click()
      await page.getByRole('dialog').getByText('It will stop working right away.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      const token = (await keys.nth(1).textContent())!
      expect(await ask(token)).toBe(200)
      await page.reload()
      await page.getByText('last used').waitFor()
      expect(await keys.count()).toBe(1)
      expect(await violations(page)).toEqual([])

      await page.getByRole('button', { name: 'Replace token' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace token' }).click()
      await page.getByText('The previous token works until').waitFor()
      const next = (await keys.nth(1).textContent())!
      expect([await ask(token), await ask(next)]).toEqual([200, 200])
      await page.getByRole('button', { name: 'Revoke the previous token now' }).click()
      await page
        .getByRole('dialog', { name: 'Revoke the previous token?' })
        .getByRole('button', { name: 'Revoke the previous token now' })
        .click()
      await page.getByText('The previous token works until').waitFor({ state: 'detached' })
      expect([await ask(token), await ask(next)]).toEqual([401, 200])
      await page.getByLabel('Can manage owners').check()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()

      await page.getByRole('button', { name: 'Turn off provisioning' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Turn off provisioning' }).click()
      await page.getByText('No token.').waitFor()
      expect(await ask(next)).toBe(401)
    })

    it('is no section for others', async () => {
      const { page } = await browsers.enter('Bea Baker', {}, '/#settings/profile')
      await page.getByRole('link', { name: 'Profile' }).first().waitFor()
      expect(await page.getByText('Provisioning (SCIM)').count()).toBe(0)
    })
  },
)
