import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const MEMBER = 'Bea Baker'
const GUEST = 'Gus Gray'
const LEAVER = 'Lou Long'
const ERASED = 'Eve Ender'
/** A picture of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const { server, browsers } = usePage([MEMBER, GUEST, LEAVER, ERASED], {
  vars: { OWNER_FULL_CONTENT_ACCESS: 'localhost' },
})

describe.skipIf(CHROMIUM === undefined)(
  'settings in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    beforeAll(async () => {
      await operate(server, await userIdOf(server, OWNER), 'update-user', {
        user_id: await userIdOf(server, GUEST),
        role: 600,
      })
    })

    it('change the user’s name, as others see', async () => {
      const { page } = await browsers.enter(MEMBER, {}, '/#settings/profile')
      const other = await browsers.enter(OWNER, {}, '/#people')
      await page.getByLabel('Name', { exact: true }).fill('Bea Baxter')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await other.page.getByText('Bea Baxter').first().waitFor()
      await page.getByLabel('Name', { exact: true }).fill(MEMBER)
      await page.keyboard.press('Tab')
      await other.page.getByText(MEMBER).first().waitFor()
    })

    it('keep a refused value in its field, and say why', async () => {
      const seat = await browsers.enter(MEMBER, {}, '/#settings/profile')
      const { page } = seat
      await page.getByLabel('Name', { exact: true }).fill('Bea*')
      await page.keyboard.press('Enter')
      expect(await page.getByRole('alert').textContent()).toBe('Invalid characters in name!')
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Bea*')
      // The browser itself logs the refusal.
      expect(seat.complaints.splice(0)).toEqual([expect.stringContaining('400')])
      await page.keyboard.press('Escape')
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(MEMBER)
    })

    it.each(['ar', 'de', 'en', 'es', 'fr', 'ja'])(
      'show all ways of notifying on a phone: %s',
      async (code) => {
        const member = await userIdOf(server, MEMBER)
        await operate(server, member, 'update-settings', { default_language: code })
        const phone = { viewport: { width: 360, height: 740 } }
        const { page } = await browsers.enter(MEMBER, phone, '/#settings/notifications')
        const grid = page.getByRole('table')
        await grid.waitFor()
        const over = await grid.evaluate((table) => table.clientWidth - table.parentElement!.clientWidth)
        expect(over).toBeLessThanOrEqual(0)
        await operate(server, member, 'update-settings', { default_language: 'en' })
      },
    )

    it('say in the language of the page why a value is refused', async () => {
      const member = await userIdOf(server, MEMBER)
      await operate(server, member, 'update-settings', { default_language: 'de' })
      const seat = await browsers.enter(MEMBER, { locale: 'de-DE' }, '/#settings/profile')
      await seat.page.getByLabel('Name', { exact: true }).fill('Bea*')
      await seat.page.keyboard.press('Enter')
      await seat.page.getByRole('alert').waitFor()
      expect(await seat.page.getByRole('alert').textContent()).toBe(
        'Der Name enthält Zeichen, die nicht erlaubt sind.',
      )
      expect(seat.complaints.splice(0)).toEqual([expect.stringContaining('400')])
      await operate(server, member, 'update-settings', { default_language: 'en' })
    })

    it('show a changed setting in every browser of the user', async () => {
      const [here, there] = [
        await browsers.enter(MEMBER, {}, '/#settings/preferences'),
        await browsers.enter(MEMBER, {}, '/#settings/preferences'),
      ]
      const box = (of: typeof here) => of.page.getByLabel('Convert emoticons to emoji (:) becomes 🙂)')
      expect(await box(there).isChecked()).toBe(false)
      await box(here).check()
      await here.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await expect.poll(() => box(there).isChecked()).toBe(true)
      for (const { page } of [here, there]) await page.goto(`${server.url}/#settings/notifications`)
      const cell = (of: typeof here) => of.page.getByLabel('All messages in channels: Desktop')
      expect(await cell(there).isChecked()).toBe(false)
      await cell(here).check()
      await expect.poll(() => cell(there).isChecked()).toBe(true)
    })

    it('show the API key, and a file of it for programs', async () => {
      const { page } = await browsers.enter(MEMBER, {}, '/#settings/security')
      await page.getByRole('button', { name: 'Show key' }).click()
      const key = await page.locator('.settings-key code').textContent()
      expect(await page.locator('.settings-key pre').textContent()).toBe(
        `[api]\nemail=bea@example.com\nkey=${key}\nsite=${server.url}\n`,
      )
      const response = await fetch(`${server.url}/api/v1/users/me`, {
        headers: { Authorization: `Basic ${btoa(`bea@example.com:${key}`)}` },
      })
      expect(response.status).toBe(200)
    })

    it('log another browser out', async () => {
      const [here, there] = [
        await browsers.enter(LEAVER, {}, '/#settings/security'),
        await browsers.enter(LEAVER),
      ]
      await here.page.reload()
      await here.page.getByText('(this browser)').waitFor()
      await here.page
        .getByRole('button', { name: /^Log out/ })
        .first()
        .click()
      await here.page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
      await there.page.getByRole('button', { name: 'Log in' }).waitFor({ timeout: 30_000 })
      there.complaints.splice(0)
    })

    it('mute a user, and edit alert words', async () => {
      const { page } = await browsers.enter(MEMBER, {}, '/#settings/muted-users')
      await page.getByLabel('Mute', { exact: true }).fill('lou')
      await page.getByRole('button', { name: `Mute: ${LEAVER}` }).click()
      await page.getByRole('button', { name: `Unmute: ${LEAVER}` }).click()
      await page.getByText('You haven’t muted anyone.').waitFor()
      await page.goto(`${server.url}/#settings/alert-words`)
      await page.getByLabel('Word or phrase').fill('tea')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove tea' }).click()
      await page.getByText('No alert words.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Remove tea' }).waitFor()
    })

    it('create a channel with people in it, and change and archive it', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, '/#channels/new'), await browsers.enter(MEMBER)]
      const { page } = ann
      const form = page.locator('.view-scroll form')
      await form.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForURL(/#channels$/)
      await page.goto(`${server.url}/#recent`)
      await page.locator('.sidebar').getByRole('link', { name: 'New channel' }).click()
      await form.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForURL(/#recent$/)
      await page.goto(`${server.url}/#channels/new`)
      await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type('kitchen')
      await page.getByLabel(/^Private: only/).check()
      await page.getByLabel('Add people').fill('bea')
      await page.getByRole('button', { name: `Add: ${MEMBER}` }).click()
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.waitForURL(/#narrow\/channel\/\d+-kitchen/)
      await bea.page
        .locator('.sidebar')
        .getByRole('link', { name: /kitchen/ })
        .waitFor()
      const id = /channel\/(\d+)/.exec(page.url())![1]
      await page.goto(`${server.url}/#channels/${id}`)
      await page.getByLabel('Name', { exact: true }).fill('canteen')
      await page.keyboard.press('Enter')
      await bea.page
        .locator('.sidebar')
        .getByRole('link', { name: /canteen/ })
        .waitFor()
      await page.getByRole('link', { name: 'People', exact: true }).click()
      await page.getByRole('button', { name: `Remove ${MEMBER}` }).click()
      await bea.page
        .locator('.sidebar')
        .getByRole('link', { name: /canteen/ })
        .waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Channel', exact: true }).click()
      await page.getByRole('heading', { name: 'Membership' }).waitFor()
      // The chosen tab says it.
      expect(await page.getByRole('heading', { name: 'Channel', exact: true }).count()).toBe(0)
      await page.getByRole('button', { name: 'Archive' }).click()
      await page.getByRole('button', { name: 'Unarchive' }).waitFor()
    })

    it('announce a new public channel where the organization has chosen, and no private one', async () => {
      const { page } = await browsers.enter(OWNER)
      for (const [name, kind] of [
        ['cellar', /^Private: only/],
        ['rooftop', /^Public/],
      ] as const) {
        await page.goto(`${server.url}/#channels/new`)
        await page.getByLabel('Name', { exact: true }).fill(name)
        await page.getByLabel(kind).check()
        await page.getByRole('button', { name: 'Create channel' }).click()
        await page.waitForURL(new RegExp(`#narrow/channel/\\d+-${name}`))
      }
      await page.goto(`${server.url}/#narrow/channel/1-general/topic/new.20channels`)
      await page.locator('.message', { hasText: 'rooftop' }).waitFor()
      expect(await page.locator('.message', { hasText: 'cellar' }).count()).toBe(0)
    })

    it('make an invitation link, which works, and revoke it', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
      await page.getByRole('button', { name: 'Create link' }).click()
      const link = await page.locator('[role="status"] .settings-key code').textContent()
      const open = () => fetch(link!.replace(/^https?:\/\/[^/]+/, server.url))
      expect((await open()).status).toBe(200)
      await page.getByRole('button', { name: 'Revoke: Link' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('No pending invitations.').waitFor()
      expect((await open()).status).toBe(404)
      await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    })

    it('create a group with its creator and others, add a member, and deactivate it', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#groups')
      await page.getByLabel('Name', { exact: true }).fill('cooks')
      const add = async (name: string) => {
        await page.getByLabel('Add people').fill(name)
        await page.getByRole('button', { name: `Add: ${name}` }).click()
        await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
      }
      await add(MEMBER)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.waitForURL(/#groups\/\d+/)
      const members = page.locator('.items.spaced')
      for (const name of [OWNER, MEMBER]) {
        await members.getByRole('button', { name: `Remove ${name}` }).waitFor()
      }
      await add(LEAVER)
      expect(await members.locator('.item').count()).toBe(3)
      await page.getByRole('button', { name: 'Deactivate group' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate group' }).click()
      await page.getByRole('button', { name: 'Reactivate' }).waitFor()
    })

    it('rename, promote, deactivate and reactivate a user', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      await page.getByRole('button', { name: `Edit ${LEAVER}` }).click()
      const dialog = page.getByRole('dialog', { name: LEAVER })
      await dialog.getByLabel('Role').selectOption({ label: 'Moderator' })
      await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await dialog.getByRole('button', { name: 'Deactivate' }).click()
      const question = page.getByRole('dialog', { name: `Deactivate ${LEAVER}?` })
      await question.getByRole('button', { name: 'Deactivate' }).click()
      await page.getByRole('button', { name: `Edit ${LEAVER}` }).waitFor({ state: 'detached' })
      await page.getByText(`Deactivated ${LEAVER}.`).waitFor()
      await page.getByRole('link', { name: /^Deactivated \d+$/ }).click()
      await page.getByRole('button', { name: `Reactivate: ${LEAVER}` }).click()
      await page.getByText(`Reactivated ${LEAVER}.`).waitFor()
      await page.getByText('No people found').waitFor()
    })

    it('do not offer to reactivate an account whose profile was erased', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      await page.getByRole('button', { name: `Edit ${ERASED}` }).waitFor()
      const erased = { user_id: await userIdOf(server, ERASED), actions: { delete_profile: true } }
      await operate(server, await userIdOf(server, OWNER), 'deactivate-user', erased)
      await page.getByRole('link', { name: /^Deactivated \d+$/ }).click()
      const offers = page.getByRole('button', { name: /^Reactivate/ })
      for (const look of [() => Promise.resolve(null), () => page.reload()]) {
        await look()
        await page.locator('.item').getByText('Deleted user').waitFor()
        expect(await offers.count()).toBe(0)
      }
    })

    it('change permissions of the organization, which apply to others at once', async () => {
      const [ann, bea] = [
        await browsers.enter(OWNER, {}, '/#organization/organization-permissions'),
        await browsers.enter(MEMBER, {}, '/#channels'),
      ]
      await bea.page.getByRole('link', { name: 'New channel' }).first().waitFor()
      for (const kind of ['public', 'private']) {
        await ann.page
          .getByLabel(`Who can create ${kind} channels`, { exact: true })
          .selectOption({ label: 'Administrators' })
        await ann.page
          .getByRole('button', { name: `Add to “Who can create ${kind} channels”`, exact: true })
          .waitFor()
      }
      await bea.page.getByRole('link', { name: 'New channel' }).first().waitFor({ state: 'detached' })
    })

    it('accept images: avatar, organization icon, emoji', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/profile')
      const picture = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }
      // Without a picture the page shows initials.
      const shown = () => page.locator('.settings-picture .avatar').getAttribute('src')
      const remove = page.getByRole('button', { name: 'Remove', exact: true })
      for (const path of ['settings/profile', 'organization/organization-profile']) {
        await page.goto(`${server.url}/#${path}`)
        await page.locator('.settings-picture').waitFor()
        const before = await shown()
        if (path !== 'settings/profile') expect(await remove.count()).toBe(0)
        await page.locator('.settings-picture input[type="file"]').setInputFiles(picture)
        await expect.poll(shown, { timeout: 15_000 }).not.toBe(before)
        await remove.click()
        await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
        await expect.poll(shown, { timeout: 15_000 }).toBe(before)
      }
      await page.getByLabel(/Logo for dark theme$/).setInputFiles(picture)
      await page.getByRole('img', { name: 'Logo for dark theme' }).waitFor()
      await page.getByRole('button', { name: 'Remove Logo for dark theme' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('img', { name: 'Logo for dark theme' }).waitFor({ state: 'detached' })
      await page.goto(`${server.url}/#organization/emoji-settings`)
      await page.getByLabel('Name').fill('Red Dot')
      expect(await page.getByLabel('Name').evaluate((field) => getComputedStyle(field).textTransform)).toBe(
        'lowercase',
      )
      await page.getByLabel('Picture: Choose').setInputFiles(picture)
      await page.getByText('dot.png').waitFor()
      const preview = page.locator('.picture-preview')
      await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText(':red_dot:').waitFor()
      await page.getByText('dot.png').waitFor({ state: 'detached' })
      await preview.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Remove red_dot' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No custom emoji yet.').waitFor()
    })

    it('create linkifiers and profile fields, which users fill', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/linkifier-settings')
      const { page } = seat
      await page.getByLabel('Pattern').fill('#(?P<id>[0-9]+)')
      await page.getByLabel('URL template', { exact: true }).fill('https://example.com/{other}')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('alert').waitFor()
      expect(seat.complaints.splice(0)).toHaveLength(1)
      await page.getByLabel('URL template', { exact: true }).fill('https://example.com/{id}')
      await page.getByText('Pasted URLs', { exact: true }).click()
      await page.getByLabel('Replacement text').fill('#{id}')
      await page.getByLabel('Example text').fill('#12')
      await page.getByLabel('Alternative URL templates').fill('https://old.example.com/{id}\n')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Change: #(?P<id>[0-9]+)' }).click()
      const row = page.locator('.item form')
      expect(await row.getByLabel('Replacement text').inputValue()).toBe('#{id}')
      expect(await row.getByLabel('Alternative URL templates').inputValue()).toBe(
        'https://old.example.com/{id}',
      )
      await row.getByLabel('Example text').fill('')
      await row.getByRole('button', { name: 'Save' }).click()
      await row.getByText(/Example text is required/).waitFor()
      expect(seat.complaints.splice(0)).toHaveLength(1)
      await row.getByLabel('Replacement text').fill('')
      await row.getByLabel('Pattern').fill('T(?P<id>[0-9]+)')
      await row.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Remove T(?P<id>[0-9]+)' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No linkifiers yet.').waitFor()
      await page.goto(`${server.url}/#organization/profile-field-settings`)
      await page.getByLabel('Type').selectOption({ label: 'List of options' })
      await page.getByLabel('Name').fill('Shift')
      await page.getByLabel('Options, one per line').fill('Early\nLate')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Remove Shift' }).waitFor()
      await page.goto(`${server.url}/#settings/profile`)
      await page.getByLabel('Shift').selectOption({ label: 'Late' })
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    })

    it('set defaults of new accounts, which change nobody’s own', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-level-user-defaults')
      const box = page.getByLabel('Convert emoticons to emoji (:) becomes 🙂)')
      const before = await box.isChecked()
      await box.click()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.reload()
      await expect.poll(() => box.isChecked()).toBe(!before)
      await page.goto(`${server.url}/#settings/preferences`)
      await page.getByRole('heading', { name: 'Display', level: 1 }).waitFor()
      expect(await box.isChecked()).toBe(false)
    })

    it('edit domains, code playgrounds and folders, and their order', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/organization-permissions')
      const { page } = seat
      await page.getByLabel('Domain', { exact: true }).fill('example.org')
      await page.getByLabel('Domain', { exact: true }).press('Enter')
      const below = page.getByLabel('example.org: include subdomains')
      await below.check()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.getByRole('button', { name: 'Remove example.org' }).click()
      await page.getByText('No domains.').waitFor()

      await page.goto(`${server.url}/#organization/playground-settings`)
      await page.getByLabel('Name').fill('Sandbox')
      await page.getByLabel('Programming language').fill('Python')
      await page.getByLabel('URL template').fill('https://example.com/')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('alert').waitFor()
      expect(seat.complaints.splice(0)).toHaveLength(1)
      await page.getByLabel('URL template').fill('https://example.com/{?code}')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Remove Sandbox' }).waitFor()
      const { id } = await operate(server, await userIdOf(server, OWNER), 'send-message', {
        type: 'channel',
        to: 1,
        topic: 'code',
        content: '```python\nprint(1)\n```',
      })
      await page.goto(`${server.url}/#narrow/id/${id}`)
      await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'a sandbox' }))
      await page.locator('.codehilite').hover()
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('button', { name: 'Open in Sandbox' }).click(),
      ])
      expect(opened.url()).toBe('https://example.com/?code=print%281%29%0A')
      await opened.close()
      await page.goto(`${server.url}/#organization/playground-settings`)
      const fields = page.getByRole('dialog').getByRole('textbox')
      const save = async (at: number, value: string) => {
        await fields.nth(at).fill(value)
        await page.keyboard.press('Enter')
      }
      await page.getByRole('button', { name: 'Change: Sandbox' }).click()
      await save(2, 'https://example.com/none')
      await page.getByRole('alert').waitFor()
      expect(seat.complaints.splice(0)).toHaveLength(1)
      await page.getByText('https://example.com/{?code}').waitFor()
      await save(2, 'https://example.com/{code}')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('https://example.com/{code}').waitFor()
      await page.getByRole('button', { name: 'Change: Sandbox' }).click()
      await save(0, 'Sandpit')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Change: Sandpit' }).waitFor()
      await page.getByText('https://example.com/{code}').waitFor()
      await expect.poll(() => page.locator('.items > .item').count()).toBe(1)
      await page.getByRole('button', { name: 'Remove Sandpit' }).click()
      await page.getByText('No code playgrounds yet.').waitFor()

      await page.goto(`${server.url}/#organization/channel-folders`)
      for (const name of ['Work', 'Play']) {
        await page.getByLabel('New folder').fill(name)
        await page.getByLabel('New folder').press('Enter')
        await page.getByRole('button', { name: `Archive: ${name}` }).waitFor()
      }
      const names = () =>
        page
          .getByLabel('Folder', { exact: true })
          .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
      expect(await names()).toEqual(['Work', 'Play'])
      await page.getByRole('button', { name: 'Move Play up' }).click()
      await expect.poll(names).toEqual(['Play', 'Work'])
      const description = page.getByLabel('Description').first()
      await description.fill('Games and sports')
      await description.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.reload()
      await description.waitFor()
      await expect.poll(() => description.inputValue()).toBe('Games and sports')
      await page.getByRole('button', { name: 'Archive: Work' }).click()
      await page.getByRole('button', { name: 'Unarchive: Work' }).waitFor()
      // The one that is left has nowhere to go.
      expect(await page.getByRole('button', { name: /^Move Play/ }).count()).toBe(0)

      await page.goto(`${server.url}/#channels/1/general/general`)
      await page.getByRole('button', { name: 'New folder' }).click()
      await page.getByLabel('New folder').fill('Garden')
      await page.getByLabel('New folder').press('Enter')
      const folder = page.getByLabel(/^Folder/).locator('option:checked')
      await expect.poll(() => folder.textContent()).toBe('Garden')
    })

    it('list the user’s files with their messages, and delete them', async () => {
      const { page } = await browsers.enter(MEMBER, {}, '/#narrow/channel/1-general/topic/files')
      await page.locator('.compose input[type="file"]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('four'),
      })
      await page.locator('.compose .file-chip:not(.upload)').waitFor()
      await page.locator('.compose textarea').press('Control+Enter')
      await page.locator('.rendered a', { hasText: 'notes.txt' }).waitFor()
      await page.goto(`${server.url}/#settings/uploaded-files`)
      await page.getByText('1 file, 4 bytes').waitFor()
      await page.getByRole('link', { name: /^message \d+$/ }).click()
      await page.locator('.rendered a', { hasText: 'notes.txt' }).waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Remove notes.txt' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('You haven’t uploaded any files.').waitFor()
    })

    it('create a bot whose key works, and deactivate it', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
      await page.getByLabel('Name', { exact: true }).fill('Oven')
      await page.getByLabel('Username').fill('oven')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('button', { name: 'Show key: Oven' }).click()
      const key = await page.locator('.settings-key code').textContent()
      const address = /\S+-bot@\S+/.exec((await page.locator('.item .small').textContent())!)![0]
      const me = () =>
        fetch(`${server.url}/api/v1/users/me`, {
          headers: { Authorization: `Basic ${btoa(`${address}:${key}`)}` },
        })
      expect((await me()).status).toBe(200)
      await page.getByRole('button', { name: 'Hide', exact: true }).click()
      await page.getByRole('button', { name: 'Show key: Oven' }).waitFor()
      await page.getByRole('button', { name: 'Deactivate: Oven' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
      await page.locator('.item').getByText('Deactivated').waitFor()
      expect((await me()).status).toBe(401)
    })

    it('export, set default channels, and show an owner the audit log', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/data-exports-admin')
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.locator('.item').getByText('deleted').waitFor()
      await page.goto(`${server.url}/#organization/default-channels-list`)
      const remove = page.getByRole('button', { name: 'Remove general' })
      await remove.click()
      await remove.waitFor({ state: 'detached' })
      // Whatever was chosen stays chosen.
      await page.locator('select[name="channel"]').selectOption({ label: '#general' })
      await page.getByRole('button', { name: 'Add' }).click()
      await remove.waitFor()
      await page.goto(`${server.url}/#organization/audit-log`)
      await page.locator('.item').getByText('Role changed').first().waitFor()
      await page
        .locator('.item', { hasText: 'Export started' })
        .getByText('Public data', { exact: true })
        .waitFor()
    })

    it('export without consent where owners may, as others can see', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/data-exports-admin')
      await page.locator('select[name=type]').selectOption('full_without_consent')
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      await page
        .locator('.item')
        .getByText(/All data/)
        .waitFor()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      const { page: theirs } = await browsers.enter(MEMBER, {}, '/#settings/account-and-privacy')
      await theirs.getByText('Owners can export them anyway').waitFor()
    })

    it('turn on push notifications for new subscribers, and enlarge pictures', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/general')
      const phones = page.getByLabel(/^Mobile notifications on/)
      await phones.check()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.reload()
      await expect.poll(() => phones.isChecked()).toBe(true)
      await phones.uncheck()
      await page.goto(`${server.url}/#organization/organization-settings`)
      const size = page.getByLabel('Media preview size')
      await size.selectOption({ label: 'Large' })
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.reload()
      await expect.poll(() => size.inputValue()).toBe('2')
      await size.selectOption({ label: 'Default' })
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      const { page: theirs } = await browsers.enter(MEMBER, {}, '/#channels/1/general/general')
      await theirs.getByRole('heading', { name: 'general' }).first().waitFor()
      expect(await theirs.getByLabel(/^Mobile notifications on/).count()).toBe(0)
    })

    it('change one’s personal settings of a channel', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/personal')
      await page.getByLabel('Muted').check()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.getByLabel('Muted').uncheck()
      await page.getByLabel('Desktop').selectOption({ label: 'On' })
      await page.getByLabel('Color').fill('#aa3344')
      await page.reload()
      await expect.poll(() => page.getByLabel('Color').inputValue()).toBe('#aa3344')
      expect(await page.getByLabel('Muted').isChecked()).toBe(false)
    })

    it('offer a guest only permitted actions', async () => {
      const { page } = await browsers.enter(GUEST, {}, '/#settings/profile')
      const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
      await sections.first().waitFor()
      expect(await sections.allTextContents()).toEqual([
        'Profile',
        'Account',
        'Password and security',
        'Uploaded files',
        'Saved snippets',
        'Display',
        'Keyboard',
        'Notifications',
        'Alert words',
        'Topics',
        'Muted people',
        'People',
        'Groups',
        'Emoji',
      ])
      for (const path of [
        'organization/organization-profile',
        'organization/audit-log',
        'settings/your-bots',
      ]) {
        await page.goto(`${server.url}/#${path}`)
        await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      }
      await page.goto(`${server.url}/#organization/users/active`)
      await page.locator('.settings').getByText(OWNER).first().waitFor()
      expect(await page.getByRole('button', { name: /^(Change|Reactivate)/ }).count()).toBe(0)
      await page.goto(`${server.url}/#channels`)
      await page.getByRole('heading', { name: 'Channels' }).first().waitFor()
      expect(await page.getByRole('link', { name: 'New channel' }).count()).toBe(0)
    })

    it('are a list with one section at a time on a phone', async () => {
      const { page } = await browsers.enter(
        OWNER,
        { viewport: { width: 360, height: 740 }, hasTouch: true },
        '/#settings',
      )
      await page.getByRole('link', { name: 'Notifications' }).click()
      await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await page.getByRole('link', { name: 'All settings' }).click()
      await page.getByRole('link', { name: 'Failed deliveries' }).waitFor()
    })
  },
)
