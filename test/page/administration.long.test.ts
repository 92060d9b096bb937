import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const MEMBER = 'Bea Baker'
const OTHER = 'Cal Cook'

const { server, browsers } = usePage([MEMBER, OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'administration in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('gives a permission to a role, a group and a person together', async () => {
      const owner = await userIdOf(server, OWNER)
      const bea = await userIdOf(server, MEMBER)
      await operate(server, owner, 'create-user-group', { name: 'editors', description: '', members: [bea] })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-permissions')
      const label = 'Who can create public channels'
      await page.getByLabel(label).selectOption({ label: 'Moderators' })
      for (const [typed, chip] of [
        ['edit', '@editors'],
        ['cal', OTHER],
      ] as const) {
        await page.getByRole('button', { name: `Add : ${label}` }).click()
        await page.getByLabel('Find people or groups').fill(typed)
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: `Remove ${chip}` }).waitFor()
      }
      await page.reload()
      await page.getByRole('button', { name: `Remove ${OTHER}` }).waitFor()
      await page.getByRole('button', { name: 'Remove @editors' }).click()
      await page.getByRole('button', { name: 'Remove @editors' }).waitFor({ state: 'detached' })
      const there = await browsers.enter(OTHER, {}, '/#channels')
      await there.page.getByRole('link', { name: 'New channel' }).waitFor()
    })

    it('says that administrators have a channel’s permissions', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/permissions')
      const row = page.locator('.setting-row').filter({ hasText: 'Who can administer this channel' })
      await row.locator('.grant-fixed').filter({ hasText: 'Administrators' }).waitFor()
      const reader = await browsers.enter(MEMBER, {}, '/#channels/1/general/permissions')
      const read = reader.page.locator('dl > div').filter({ hasText: 'Who can administer this channel' })
      expect(await read.locator('dd').textContent()).toContain('Administrators')
    })
  },
)
