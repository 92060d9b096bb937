import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../node/identity-provider.ts'
import { AuthenticatorApp } from '../support/authenticator-codes.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const provider = await startIdentityProvider()
const { issuer } = provider

const { server, browsers } = usePage(['Bob Builder'], {
  vars: {
    WEBHOOK_ALLOWED_HOSTS: provider.host,
    ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com',
    ACCESS_AUD: 'an application',
  },
})
afterAll(() => provider.stop())

const AT = '/#organization/auth-methods'
const kindOf = (page: Page) => page.getByRole('combobox', { name: /^Provider/ })

describe.skipIf(CHROMIUM === undefined)(
  'log-in providers in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('show the values for the provider when added, and never show the secret again', async () => {
      const seat = await browsers.enter(OWNER, {}, AT)
      const { page } = seat
      await page.getByText('No providers yet.').waitFor()
      await page.getByRole('button', { name: 'Add provider' }).click()
      await kindOf(page).selectOption('github')
      await page.getByText('Authorization callback URL').waitFor()
      await kindOf(page).selectOption('keycloak')
      await page.getByText(`${server.url}/complete/keycloak/`, { exact: true }).waitFor()
      await page.getByLabel('URL name').fill('acme')
      await page.getByText(`${server.url}/complete/acme/`, { exact: true }).waitFor()
      await page.getByLabel('Button label').fill('Acme')
      await page.getByLabel('Issuer URL').fill('https://login.microsoftonline.com/common/v2.0')
      await page.getByLabel('Client ID').fill('parley')
      await page.getByLabel('Client secret').fill('a very secret text')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('This address stands for every Microsoft tenant.').waitFor()
      expectRefusals(seat)
      await page.getByLabel('Issuer URL').fill(issuer)
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText(`Keycloak · ${issuer}`).waitFor()
      await page.getByRole('button', { name: 'Change: Acme' }).click()
      expect(await page.getByLabel('Client secret').inputValue()).toBe('')
      expect(await page.content()).not.toContain('a very secret text')
      await page.getByText('Leave empty to keep the current secret.').waitFor()
    })

    it('are tested, and problems are explained in words', async () => {
      const { page } = await browsers.enter(OWNER, {}, AT)
      await page.getByRole('button', { name: 'Test: Acme' }).click()
      await page.getByText('The provider responded and recognizes this client.').waitFor()
      provider.paths.set('/token', (_request, response) => {
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error": "invalid_client"}')
      })
      await page.getByRole('button', { name: 'Test: Acme' }).click()
      await page.getByText('The provider does not know this client ID with this secret').waitFor()
      provider.reset()
    })

    it('map values of claims to groups and roles, as rows', async () => {
      const owner = await userIdOf(server, OWNER)
      const group = { name: 'Crew', description: '', members: [owner], subgroups: [] }
      const { group_id } = await operate(server, owner, 'create-user-group', group)
      const { page } = await browsers.enter(OWNER, {}, AT)
      await page.getByRole('button', { name: 'Change: Acme' }).click()
      await page.getByText('Groups and roles').click()
      await page.getByLabel('Groups claim').fill('teams')
      await page.getByRole('button', { name: 'Add row: Group' }).click()
      await page.getByLabel('Claim value', { exact: true }).fill('sailors')
      await page.getByLabel('Group', { exact: true }).selectOption({ label: 'Crew' })
      await page.getByLabel('Role claim').fill('job')
      await page.getByRole('button', { name: 'Add row: Role' }).click()
      await page.getByLabel('Claim value', { exact: true }).last().fill('captain')
      await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Owner' })
      await page.getByLabel('Create accounts automatically').check()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Change: Acme' }).waitFor()
      const listed = await operate(server, owner, 'get-login-providers', {})
      expect(listed.login_providers).toMatchObject([
        {
          has_secret: true,
          auto_signup: true,
          groups_claim: 'teams',
          group_map: { sailors: group_id },
          role_claim: 'job',
          role_map: { captain: 100 },
        },
      ])
      await page.getByRole('button', { name: 'Change: Acme' }).click()
      await page.getByRole('button', { name: 'Remove row' }).first().click()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Change: Acme' }).waitFor()
      const after = await operate(server, owner, 'get-login-providers', {})
      expect(after.login_providers).toMatchObject([{ group_map: {}, role_map: { captain: 100 } }])
    })

    it('take the address from another claim if trusted, and log people out there', async () => {
      const owner = await userIdOf(server, OWNER)
      const seat = await browsers.enter(OWNER, {}, AT)
      const { page } = seat
      const setUp = async (claim: string) => {
        await page.getByText('Advanced').click()
        await page.getByLabel('Email claim').fill(claim)
        await page.getByRole('button', { name: 'Save' }).click()
      }
      await page.getByRole('button', { name: 'Change: Acme' }).click()
      await page.getByLabel('Log people out at the provider too').check()
      await page.getByText(`Add ${server.url}/ at the provider`).waitFor()
      await setUp('upn')
      await page.getByText('Providers verify only the claim “email”.').waitFor()
      expectRefusals(seat)
      await page.getByLabel('Trust email addresses from this provider').check()
      await page.getByRole('button', { name: 'Save' }).click()
      const change = page.getByRole('button', { name: 'Change: Acme' })
      await change.waitFor()
      const listed = async () => (await operate(server, owner, 'get-login-providers', {})).login_providers
      expect(await listed()).toMatchObject([{ email_claim: 'upn', ends_session: true, trusts_email: true }])
      await change.click()
      await page.getByLabel('Trust email addresses from this provider').uncheck()
      await page.getByLabel('Log people out at the provider too').uncheck()
      await setUp('')
      await change.waitFor()
      expect(await listed()).toMatchObject([
        { email_claim: 'email', ends_session: false, trusts_email: false },
      ])
    })

    it('do not replace the password of an owner whom no provider knows', async () => {
      const seat = await browsers.enter(OWNER, {}, AT)
      const { page } = seat
      await page.getByRole('button', { name: 'Require single sign-on' }).click()
      await page.getByText('Turn off passwords?').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
      await page.getByText('Log in once with a provider that stays on').waitFor()
      expectRefusals(seat)
    })

    it('are connected with one’s own account, which then needs no password', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#settings/account-and-privacy')
      const { page } = seat
      await page.getByRole('button', { name: 'Connect: Acme' }).click()
      await page.getByRole('button', { name: 'Disconnect: Acme' }).waitFor()
      await page.goto(`${server.url}${AT}`)
      await page.getByRole('button', { name: 'Require single sign-on' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Require single sign-on' }).click()
      await page.getByText('People log in with a provider; passwords are off.').waitFor()
      await page.getByRole('button', { name: 'Remove Acme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      // Cloudflare Access is a way in as well, and the owner has not come through it.
      await page.getByText('Log in once with a provider that stays on').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Allow passwords again' }).click()
      await page.getByText('People can log in with their email address and a password.').waitFor()
      expectRefusals(seat)
    })

    it('are listed with everybody’s own account, connected or not', async () => {
      const { page } = await browsers.enter('Bob Builder', {}, '/#settings/account-and-privacy')
      await page.getByText('Connected accounts').waitFor()
      await page.getByText('Not connected').waitFor()
      await page.getByRole('button', { name: 'Connect: Acme' }).waitFor()
      expect(await page.getByRole('link', { name: 'Login', exact: true }).count()).toBe(0)
    })

    it('do not bypass Cloudflare Access, which owners turn on and off', async () => {
      const { page } = await browsers.enter(OWNER, {}, AT)
      await page.getByText('People who pass Cloudflare Access are logged in').waitFor()
      await page.getByRole('button', { name: 'Turn off Cloudflare Access' }).click()
      await page.getByText('Cloudflare Access doesn’t log anyone in.').waitFor()
      const door = await browsers.open()
      await door.page.getByRole('link', { name: /Acme/ }).waitFor()
      expect(await door.page.getByRole('link', { name: /Cloudflare Access/ }).count()).toBe(0)
      await page.getByRole('button', { name: 'Turn on Cloudflare Access' }).click()
      await page.getByText('People who pass Cloudflare Access are logged in').waitFor()
    })

    it('have a secret of another system beside them, made, shown once, replaced and removed', async () => {
      const { page } = await browsers.enter(OWNER, {}, AT)
      const shown = page.locator('.settings-key')
      await page.getByText('No secret. Other systems can’t log anyone in.').waitFor()
      await page.getByRole('button', { name: 'Create secret' }).click()
      await page.getByText('It won’t be shown again.').waitFor()
      const first = await shown.textContent()
      expect(first).toMatch(/[0-9a-f]{64}/)
      expect(await violations(page)).toEqual([])
      await page.reload()
      await page.getByRole('button', { name: 'Replace secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
      await page.getByText('It won’t be shown again.').waitFor()
      expect(await shown.textContent()).not.toBe(first)
      await page.getByRole('button', { name: 'Remove secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove secret' }).click()
      await page.getByText('No secret. Other systems can’t log anyone in.').waitFor()
      expect(await shown.count()).toBe(0)
    })

    it('still show administrators who has a second factor', async () => {
      const { page } = await browsers.enter('Bob Builder', {}, '/#settings/security')
      await page.getByRole('button', { name: 'Set up' }).click()
      const app = new AuthenticatorApp((await page.locator('.totp-secret').textContent())!)
      await page.getByLabel('Code from the app').fill(app.code())
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('button', { name: 'I have saved them' }).click()
      const seat = await browsers.enter(OWNER, {}, '/#organization/users/active')
      const rows = seat.page.locator('.item').filter({ hasText: 'Two-step verification' })
      await rows.first().waitFor()
      expect(await rows.count()).toBe(1)
      expect(await rows.textContent()).toContain('Bob Builder')
    })

    it('are removed after a confirmation', async () => {
      const { page } = await browsers.enter(OWNER, {}, AT)
      await page.getByRole('button', { name: 'Remove Acme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No providers yet.').waitFor()
      const { page: own } = await browsers.enter('Bob Builder', {}, '/#settings/account-and-privacy')
      await own.getByLabel('New email address').waitFor()
      expect(await own.getByText('Connected accounts').count()).toBe(0)
    })
  },
)
