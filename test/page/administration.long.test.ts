import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { fromJson, readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { roomForWords } from './space-for-words.ts'

const MEMBER = 'Bea Baker'
const OTHER = 'Cal Cook'

const { server, browsers } = usePage([MEMBER, OTHER])

/** API keys of people who have made requests; logging in too often is refused. */
const keys: Record<string, string> = {}

/** Makes a request as a user. `who`: the part of the address before `@`. */
async function request(who: string, path: string, params: Record<string, unknown>) {
  const form = (fields: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
  const post = async (at: string, fields: Record<string, unknown>, headers = {}, method = 'POST') => {
    const response = await fetch(`${server.url}/api/v1${at}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: form(fields) }),
    })
    const answer = await readJson<Record<string, unknown>>(response)
    expect([at, answer.msg]).toEqual([at, ''])
    return answer
  }
  const username = `${who}@example.com`
  keys[who] ??= (await post('/fetch_api_key', { username, password: PASSWORD })).api_key as string
  const [method, at] = path.split(' ') as [string, string]
  return post(at, params, { Authorization: `Basic ${btoa(`${username}:${keys[who]}`)}` }, method)
}

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
      await page.getByLabel(label, { exact: true }).selectOption({ label: 'Moderators' })
      for (const [typed, chip] of [
        ['edit', '@editors'],
        ['cal', OTHER],
      ] as const) {
        await page.getByRole('button', { name: `Add to “${label}”` }).click()
        await page.getByLabel('Find people or groups').fill(typed)
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: `Remove ${chip}` }).waitFor()
      }
      await page.reload()
      await page.getByRole('button', { name: `Remove ${OTHER}` }).waitFor()
      await page.getByRole('button', { name: 'Remove @editors' }).click()
      await page.getByRole('button', { name: 'Remove @editors' }).waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: `Add to “${label}”` })
        .and(page.locator(':focus'))
        .waitFor()
      const there = await browsers.enter(OTHER, {}, '/#channels')
      await there.page.getByRole('link', { name: 'New channel' }).waitFor()
    })

    it('names those who have a permission anyway once', async () => {
      const owner = await userIdOf(server, OWNER)
      const members = [owner]
      const made = await request('ann', 'POST /user_groups/create', {
        name: 'pursers',
        description: '',
        members,
      })
      const { page } = await browsers.enter(OWNER, {}, `/#groups/${made.group_id}`)
      const row = page.locator('.setting-row').filter({ hasText: 'Who can add members' })
      await row.getByText(OWNER, { exact: true }).waitFor()
      expect(await row.getByText(OWNER, { exact: true }).count()).toBe(1)
      await row.getByRole('button', { name: /^Add to/ }).click()
      await page.getByLabel('Find people or groups').fill('bea')
      await page.keyboard.press('Enter')
      await row.getByRole('button', { name: `Remove ${MEMBER}` }).waitFor()
      const chosen = row.locator('option:checked')
      expect(await chosen.textContent()).toBe('Only')
    })

    it('says that administrators have a channel’s permissions', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/permissions')
      const row = page.locator('.setting-row').filter({ hasText: 'Who can administer this channel' })
      await row.locator('.grant-fixed').filter({ hasText: 'Administrators' }).waitFor()
      const reader = await browsers.enter(MEMBER, {}, '/#channels/1/general/permissions')
      const read = reader.page.locator('dl > div').filter({ hasText: 'Who can administer this channel' })
      expect(await read.locator('dd').textContent()).toContain('Administrators')
    })

    it('finds a setting by its label, and returns to the previous view', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#recent')
      await page.goto(`${server.url}/#settings/profile`)
      const list = page.getByRole('navigation', { name: 'Settings' })
      await list.getByLabel('Search settings').fill('emoticons')
      await list
        .getByRole('link', { name: /^Convert emoticons/ })
        .first()
        .click()
      await page.locator('.setting-sought').filter({ hasText: 'Convert emoticons' }).waitFor()
      await list.getByLabel('Search settings').fill('read receipts')
      await list.getByRole('link', { name: 'Default user settings' }).waitFor()
      await list.getByLabel('Search settings').fill('no such setting')
      await page.getByText('No settings found.').waitFor()
      expect(await page.locator('.sidebar').isVisible()).toBe(false)
      await page.getByRole('link', { name: 'Close settings' }).click()
      await page.waitForURL(/#recent$/)
      await page.locator('.sidebar').waitFor()
    })

    it('returns from the settings by Escape', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#recent')
      await page.goto(`${server.url}/#settings/profile`)
      await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Account' }).focus()
      await page.keyboard.press('Escape')
      await page.waitForURL(/#recent$/)
    })

    it('leads by keys from a chosen section to its settings', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#settings/profile')
      const list = page.getByRole('navigation', { name: 'Settings' })
      for (const title of ['Organization profile', 'Linkifiers', 'Linkifiers']) {
        await list.getByRole('link', { name: title }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('group', { name: title }).and(page.locator(':focus')).waitFor()
      }
      await page.getByLabel('Pattern').waitFor()
      await page.keyboard.press('Tab')
      await page.getByLabel('Pattern').and(page.locator(':focus')).waitFor()
    })

    it('leads from people to invitations', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users')
      await page.getByRole('link', { name: 'Invite people' }).click()
      await page.getByRole('heading', { name: 'Invite by email' }).waitFor()
    })

    it('leads to a new channel where none is private for moderation requests', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/moderation')
      await page.getByLabel('Moderation requests (a private channel)').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'New channel' }).click()
      await page.getByRole('button', { name: 'Create channel' }).waitFor()
    })

    it('makes an account without an invitation, and sets its profile and status', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      await page.locator('summary').filter({ hasText: 'Create account' }).click()
      await page.getByLabel('Email address').fill('dee@example.com')
      await page.getByLabel('Name', { exact: true }).fill('Dee Dunn')
      await page.getByLabel('Initial password').fill('correct horse battery staple')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('button', { name: 'Edit Dee Dunn' }).click()
      const dialog = page.getByRole('dialog', { name: 'Dee Dunn' })
      await dialog.getByLabel('Status').fill('on the ferry')
      await page.keyboard.press('Enter')
      await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      const dee = await userIdOf(server, 'Dee Dunn')
      const { status } = await operate(server, await userIdOf(server, OWNER), 'get-user-status', {
        user_id: dee,
      })
      expect(status).toMatchObject({ status_text: 'on the ferry' })
    })

    it('counts people and bots', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      const count = async (list: string) => {
        await page.getByRole('link', { name: new RegExp(`^${list} \\d+$`) }).click()
        await page
          .getByRole('link', { name: new RegExp(`^${list} \\d+$`) })
          .and(page.locator('[aria-current]'))
          .waitFor()
        const title = await page.locator('.settings-tabs [aria-current]').textContent()
        expect(title).toBe(`${list} ${await page.locator('.items > .item').count()}`)
      }
      for (const list of ['Active', 'Bots', 'Deactivated']) await count(list)
    })

    it('asks before a picture takes the place of a built-in emoji', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/emoji-settings')
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        'base64',
      )
      await page.getByLabel('Name', { exact: true }).fill('smile')
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'smile.png', mimeType: 'image/png', buffer: png })
      const question = page.getByRole('dialog', { name: 'Replace the built-in emoji :smile:?' })
      await expect
        .poll(async () => {
          if (await question.isVisible()) return true
          await page.getByRole('button', { name: 'Add' }).click()
          return question.isVisible()
        })
        .toBe(true)
      expect(await page.getByText(':smile:', { exact: true }).count()).toBe(0)
      await question.getByRole('button', { name: 'Replace' }).click()
      await page.getByRole('button', { name: 'Remove smile' }).waitFor()
    })

    it('keeps what is typed for the next account while one is being made', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/json/users', async (route) => {
        await held
        await route.continue()
      })
      await page.locator('summary').filter({ hasText: 'Create account' }).click()
      const address = page.getByLabel('Email address')
      await address.fill('fia@example.com')
      await page.getByLabel('Name', { exact: true }).fill('Fia Ford')
      const password = page.getByLabel('Initial password')
      await password.fill('short')
      expect(await password.evaluate((one: HTMLInputElement) => one.checkValidity())).toBe(false)
      await password.fill('correct horse battery staple')
      await page.getByRole('button', { name: 'Create account' }).click()
      await address.fill('flo@example.com')
      answer()
      await page.getByText('Account created for Fia Ford.').waitFor()
      expect([await address.inputValue(), await password.inputValue()]).toEqual(['flo@example.com', ''])
    })

    it('undoes what was typed by Escape before it closes a dialog, and returns the focus', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      const edit = page.getByRole('button', { name: `Edit ${MEMBER}` })
      const dialog = page.getByRole('dialog', { name: MEMBER })
      await edit.click()
      // Several people may have one name.
      await dialog.getByText('bea@example.com', { exact: true }).waitFor()
      const name = dialog.getByLabel('Name', { exact: true })
      await name.fill('Somebody Else')
      await page.keyboard.press('Escape')
      expect(await name.inputValue()).toBe(MEMBER)
      const end = dialog.getByRole('button', { name: 'Deactivate', exact: true })
      await end.click()
      await page.getByRole('dialog', { name: `Deactivate ${MEMBER}?` }).waitFor()
      await page.keyboard.press('Escape')
      await end.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Escape')
      await edit.and(page.locator(':focus')).waitFor()
    })

    it('does not offer to change the server’s own bots', async () => {
      const params = { event_types: ['realm_user'], fetch_event_types: ['realm_user'] }
      const { cross_realm_bots } = await request('ann', 'POST /register', params)
      const { user_id } = (cross_realm_bots as { user_id: number }[])[0]!
      const { page } = await browsers.enter(OWNER, {}, `/#organization/users/bots/${user_id}`)
      await page.getByRole('navigation', { name: 'People' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.goto(`${server.url}/#user/${user_id}`)
      await page.getByRole('button', { name: 'Copy link' }).waitFor()
      expect(await page.getByRole('link', { name: /^Manage/ }).count()).toBe(0)
    })

    it('asks before it makes a user an owner', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      await page.getByRole('button', { name: `Edit ${MEMBER}` }).click()
      const role = page.getByRole('dialog', { name: MEMBER }).getByLabel('Role')
      await role.selectOption({ label: 'Owner' })
      await page.getByRole('dialog', { name: `Make ${MEMBER} an owner?` }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await role.inputValue()).toBe(
        await role.locator('option', { hasText: /^Member$/ }).getAttribute('value'),
      )
      await role.selectOption({ label: 'Owner' })
      await page
        .getByRole('dialog', { name: `Make ${MEMBER} an owner?` })
        .getByRole('button', { name: 'Make owner' })
        .click()
      await page.getByText(/^Owner · bea@/).waitFor()
      await role.selectOption({ label: 'Member' })
      await page.getByText(/^Member · bea@/).waitFor()
    })

    it('gives several people a role, a channel and a group, and deactivates them', async () => {
      const owner = await userIdOf(server, OWNER)
      await request('ann', 'POST /channels/create', { name: 'pier', subscribers: [owner] })
      await request('ann', 'POST /user_groups/create', { name: 'crew', description: '', members: [] })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/active')
      const choose = async () => {
        for (const name of [MEMBER, OTHER]) await page.getByLabel(`Select ${name}`).check()
      }
      for (const [kind, target, send] of [
        ['Change role', 'Moderator', 'Change 2 roles'],
        ['Add to channel', '#pier', 'Add 2 people'],
        ['Add to group', '@crew', 'Add 2 people'],
      ] as const) {
        await choose()
        await page.getByRole('button', { name: kind }).click()
        const dialog = page.getByRole('dialog', { name: kind })
        await dialog.locator('select').selectOption({ label: target })
        await dialog.getByRole('button', { name: send }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      expect(await page.getByText(/^Moderator · /).count()).toBe(2)
      const { user_groups } = await request('ann', 'GET /user_groups', {})
      const crew = (user_groups as { name: string; members: number[] }[]).find(({ name }) => name === 'crew')!
      const chosen = [await userIdOf(server, MEMBER), await userIdOf(server, OTHER)]
      expect(crew.members.toSorted()).toEqual(chosen.toSorted())
      for (const [names, question, said] of [
        [[MEMBER], `Deactivate ${MEMBER}?`, `Deactivated ${MEMBER}.`],
        [[MEMBER, OTHER], 'Deactivate 2 accounts?', 'Deactivated 2 accounts.'],
      ] as const) {
        for (const name of names) await page.getByLabel(`Select ${name}`).check()
        await page.getByRole('button', { name: 'Deactivate' }).click()
        await page.getByRole('dialog', { name: question }).getByRole('button', { name: 'Deactivate' }).click()
        await page.getByRole('status').getByText(said, { exact: true }).waitFor()
        await page.getByLabel(`Select ${names.at(-1)}`).waitFor({ state: 'detached' })
        if (names.length === 1) await operate(server, owner, 'reactivate-user', { user_id: chosen[0] })
      }
      for (const user_id of chosen) await operate(server, owner, 'reactivate-user', { user_id })
    })

    it('gives a bot another owner, role and channel', async () => {
      await request('ann', 'POST /bots', { full_name: 'Gull', short_name: 'gull', bot_type: 1 })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/users/bots')
      await page.getByRole('button', { name: 'Edit Gull' }).click()
      const dialog = page.getByRole('dialog', { name: 'Gull' })
      await dialog.getByLabel('Default channel for its messages').selectOption({ label: '#general' })
      await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await dialog.getByLabel('Role').selectOption({ label: 'Guest' })
      await dialog.getByRole('button', { name: 'Change: Owner' }).click()
      await page.keyboard.type('cook')
      await dialog.getByRole('button', { name: `Choose: ${OTHER}` }).waitFor()
      await page.keyboard.press('Enter')
      await page
        .getByRole('dialog', { name: 'Transfer Gull?' })
        .getByRole('button', { name: 'Transfer' })
        .click()
      await page.getByText(new RegExp(`Bot of ${OTHER}`)).waitFor()
      await dialog.getByRole('button', { name: 'Change: Owner' }).and(page.locator(':focus')).waitFor()
    })

    it('keeps the choices for invitations, and says which address failed', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/invitations')
      const { page } = seat
      const form = page.locator('.part').filter({ hasText: 'Invite by email' })
      const choices = () => form.locator('select').locator('option:checked').allTextContents()
      await form.locator('select').first().waitFor()
      const before = await choices()
      expect(before).toContain('Member')
      await form.locator('textarea').fill('bea@example.com, not an address')
      await form.getByRole('button', { name: 'Send invitations' }).click()
      await form.getByRole('alert').filter({ hasText: 'not an address' }).waitFor()
      seat.complaints.splice(0)
      // A button that is disabled for a while would lose the focus.
      await expect
        .poll(() =>
          form.getByRole('button', { name: 'Send invitations' }).and(page.locator(':focus')).count(),
        )
        .toBe(1)
      await form.locator('textarea').fill('Eve <eve@example.com>; eva@example.com')
      await form.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('2 invitations sent.').waitFor()
      await page.locator('.item', { hasText: 'eva@example.com' }).waitFor()
      expect(await choices()).toEqual(before)
    })

    it('offers new members groups of channels', async () => {
      const subscribers = [await userIdOf(server, OWNER)]
      await request('ann', 'POST /channels/create', { name: 'crew', subscribers })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/default-channels-list')
      await page.locator('summary').filter({ hasText: 'New channel group' }).click()
      const form = page.locator('form').filter({ hasText: 'Description' })
      await form.getByLabel('Name').fill('Sailors')
      await form.getByLabel('Description').fill('All at sea')
      await form.getByLabel('#crew').check()
      await form.getByRole('button', { name: 'Create' }).click()
      const group = page.locator('details').filter({ hasText: 'Sailors' })
      await group.locator('summary').click()
      await group.getByRole('button', { name: 'Remove crew' }).click()
      await page.getByText('Removed #crew.').waitFor()
      expect(await group.getByRole('button', { name: 'Remove crew' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await group.getByRole('button', { name: 'Remove crew' }).waitFor()
      await page.getByRole('button', { name: 'Delete: Sailors' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No channel groups yet.').waitFor()
    })

    it('changes the choices of a profile field', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/profile-field-settings')
      await page.getByLabel('Type').selectOption('3')
      const form = page.locator('form').filter({ hasText: 'Type' })
      await form.getByLabel('Name').fill('Office')
      await form.getByLabel('Options, one per line').fill('Quay\nHil')
      await form.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Change: Office' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Option 2').fill('Hill')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Remove Hill' }).waitFor()
      await dialog.getByLabel('New option').fill('Pier')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Remove Quay' }).click()
      await page.getByRole('dialog', { name: 'Remove Quay?' }).getByRole('button', { name: 'Remove' }).click()
      await dialog.getByLabel('Option 3').waitFor({ state: 'detached' })
      // The focus stays beside what has gone.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('.settings-field') !== null))
        .toBe(true)
      const { custom_fields } = (await request('ann', 'GET /realm/profile_fields', {})) as {
        custom_fields: { name: string; field_data: string }[]
      }
      const { field_data } = custom_fields.find(({ name }) => name === 'Office')!
      const choices = fromJson<Record<string, object>>(field_data)
      expect(Object.values(choices)).toEqual([
        { text: 'Hill', order: '1' },
        { text: 'Pier', order: '2' },
      ])
      // The key of a removed choice is not used again: a profile may have chosen it.
      expect(Object.keys(choices)).not.toContain('2')
    })

    it('keeps channels’ signs and addresses from left to right in Arabic', async () => {
      const message = { type: 'channel', to: 1, topic: 'a', content: 'Ahoy' }
      const { id } = await request('bea', 'POST /messages', message)
      await request('ann', `DELETE /messages/${id}`, {})
      await request('ann', 'PATCH /settings', { default_language: 'ar' })
      const { page } = await browsers.enter(OWNER, { locale: 'ar-EG' }, '/#organization/audit-log')
      await request('ann', 'PATCH /settings', { default_language: 'en' })
      /** Returns where the first and the last sign of an element's text are. */
      const ends = (element: HTMLElement | SVGElement) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
        return [0, text.length - 1].map((at) => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          return range.getBoundingClientRect().left
        })
      }
      const [sign, letter] = await page
        .locator('.item bdi', { hasText: /^#general$/ })
        .first()
        .evaluate(ends)
      expect(sign).toBeLessThan(letter!)
      await page.goto(`${server.url}/#organization/provisioning`)
      const [first, last] = await page.locator('.settings-key code').first().evaluate(ends)
      expect(first).toBeLessThan(last!)
    })

    it('verifies the data, and shows how much is stored', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/usage')
      await page.getByRole('row', { name: /^Used by uploaded files 0 / }).waitFor()
      await page.getByRole('button', { name: 'Check data' }).click()
      await page.getByText('No problems found.').waitFor()
    })

    it('lists reported messages by author for readers of their channel until they are resolved', async () => {
      const owner = await userIdOf(server, OWNER)
      await request('ann', 'POST /channels/create', {
        name: 'watch',
        subscribers: [owner, await userIdOf(server, MEMBER)],
        invite_only: true,
      })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/moderation')
      await page.getByLabel(/^Moderation requests/).selectOption({ label: '#watch' })
      await page.getByText('No open reports.').waitFor()
      for (const content of ['Ahoy', 'Avast']) {
        const { id } = await request('cal', 'POST /messages', { type: 'channel', to: 1, topic: 'a', content })
        await request('ann', `POST /messages/${id}/report`, { report_type: 'spam' })
      }
      await page.getByRole('button', { name: `Manage ${OTHER}` }).waitFor()
      const bea = await browsers.enter(MEMBER, {}, '/#organization/moderation')
      for (const one of [page, bea.page]) {
        await one
          .getByText(/reported a message/)
          .nth(1)
          .waitFor()
        expect(await one.getByRole('button', { name: 'Resolve' }).count()).toBe(1)
      }
      expect(await bea.page.getByLabel(/^Moderation requests/).count()).toBe(0)
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByText('No open reports.').waitFor()
      await bea.page.getByText('No open reports.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await bea.page.getByRole('button', { name: 'Resolve' }).waitFor()
    })

    it('finds open reports behind a long discussion, and older ones on demand', async () => {
      const owner = await userIdOf(server, OWNER)
      const subscribers = [owner]
      const { id } = await request('ann', 'POST /channels/create', {
        name: 'lookout',
        subscribers,
        invite_only: true,
      })
      await request('ann', 'PATCH /realm', { moderation_request_channel_id: id })
      const sent = await request('cal', 'POST /messages', {
        type: 'channel',
        to: 1,
        topic: 'a',
        content: 'Boo',
      })
      const report = () => request('ann', `POST /messages/${sent.id}/report`, { report_type: 'spam' })
      await report()
      for (let line = 0; line < 110; line += 1) {
        await operate(server, owner, 'send-message', {
          type: 'channel',
          to: ['lookout'],
          topic: 'what to do',
          content: `Thought ${line}`,
        })
      }
      const { page } = await browsers.enter(OWNER, {}, '/#organization/moderation')
      const reports = page.getByText(/reported a message/)
      await expect.poll(() => reports.count()).toBe(1)
      expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0)
      for (let again = 0; again < 100; again += 1) await report()
      await page.reload()
      await page.getByRole('button', { name: 'Older' }).click()
      await expect.poll(() => reports.count()).toBe(101)
      expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0)
    })

    it('lets people leave a group, with a way back or after a question', async () => {
      const members = [await userIdOf(server, OWNER), await userIdOf(server, MEMBER)]
      await request('ann', 'POST /user_groups/create', { name: 'rowers', description: '', members })
      const { page } = await browsers.enter(OWNER, {}, '/#groups')
      const leave = page.getByRole('button', { name: 'Leave: rowers' })
      await leave.click()
      await page.getByText('You left rowers').waitFor()
      await page.getByRole('button', { name: 'Join: rowers' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await leave.waitFor()
      const bea = await browsers.enter(MEMBER, {}, '/#groups')
      await bea.page.getByRole('button', { name: 'Leave: rowers' }).click()
      const question = bea.page.getByRole('dialog', { name: 'Leave the group rowers?' })
      await question.getByRole('button', { name: 'Leave' }).click()
      await question.waitFor({ state: 'detached' })
      await expect.poll(() => bea.page.getByRole('button', { name: 'Leave: rowers' }).count()).toBe(0)
    })

    it('offers no way back into a group that only its members may join', async () => {
      const members = [await userIdOf(server, MEMBER)]
      const made = await request('ann', 'POST /user_groups/create', {
        name: 'divers',
        description: '',
        members,
      })
      const itself = { new: made.group_id }
      await request('ann', `PATCH /user_groups/${made.group_id}`, { can_join_group: itself })
      const { page } = await browsers.enter(MEMBER, {}, '/#groups')
      await page.getByRole('button', { name: 'Leave: divers' }).click()
      const question = page.getByRole('dialog', { name: 'Leave the group divers?' })
      await question.getByRole('button', { name: 'Leave' }).click()
      await question.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Leave: divers' }).waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: /divers|Undo/ }).count()).toBe(0)
    })

    it('shows the audit log in words, without ids', async () => {
      await request('ann', 'POST /invites', {
        invitee_emails: 'fay@example.com',
        invite_as: 400,
        stream_ids: [1],
      })
      await request('ann', 'PATCH /realm', { waiting_period_threshold: 3 })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/audit-log')
      // Who does something to the own account is named once.
      const login = page.locator('.item').filter({ hasText: 'Logged in' }).filter({ hasText: OWNER })
      expect((await login.first().textContent())!.split(OWNER)).toHaveLength(2)
      const entry = page.locator('.item').filter({ hasText: 'Invitations sent' }).first()
      await entry.getByText(/as member · in #general/).waitFor()
      expect(await entry.textContent()).toMatch(/ \d{4}, \d+:\d\d/)
      await page.getByText('Days before a new member becomes a full member: 3').waitFor()
      const shown = await page.locator('.items').textContent()
      expect(shown).not.toMatch(/user_id|stream_ids|: 400|undefined/)
      await page.getByLabel('Show').selectOption({ label: 'Invitations sent' })
      await expect
        .poll(() => page.locator('.item').filter({ hasNotText: 'Invitations sent' }).count())
        .toBe(0)
    })

    it('finds in the audit log what one person did', async () => {
      await request('bea', 'POST /user_groups/create', { name: 'anglers', description: '', members: [] })
      const { page } = await browsers.enter(OWNER, {}, '/#organization/audit-log')
      const others = page.locator('.item').filter({ hasNotText: MEMBER })
      await others.first().waitFor()
      await page.getByLabel('By', { exact: true }).fill('bea')
      await page.getByRole('button', { name: `Choose: ${MEMBER}` }).click()
      await expect.poll(() => others.count()).toBe(0)
      await page.locator('.item').filter({ hasText: 'Group created' }).waitFor()
      await page.getByRole('button', { name: `Remove ${MEMBER}` }).click()
      await others.first().waitFor()
    })

    it('names people, groups and values in the audit log, in the reader’s language', async () => {
      const bea = await userIdOf(server, MEMBER)
      const group = (name: string) =>
        request('ann', 'POST /user_groups/create', { name, description: '', members: [] })
      const [inner, outer] = [await group('deckhands'), await group('everyhand')]
      const members = { add: [bea], add_subgroups: [inner.group_id] }
      await request('ann', `POST /user_groups/${outer.group_id}/members`, members)
      const message = { type: 'channel', to: 1, topic: 'a', content: 'Ahoy' }
      const { id } = await request('bea', 'POST /messages', message)
      await request('ann', `DELETE /messages/${id}`, {})
      const invitee_emails = 'gus@example.com, hal@example.com'
      await request('ann', 'POST /invites', { invitee_emails, invite_as: 400, stream_ids: [] })
      const { invites } = (await request('ann', 'GET /invites', {})) as { invites: Record<string, unknown>[] }
      const gus = invites.find(({ email }) => email === 'gus@example.com')!
      await request('ann', `DELETE /invites/${gus.id}`, {})
      await request('ann', 'PATCH /realm', { org_type: 10, message_content_edit_limit_seconds: 5_400 })
      for (const role of [300, 400]) await request('ann', `PATCH /users/${bea}`, { role })
      await request('ann', 'PATCH /settings', { default_language: 'de' })
      const { page } = await browsers.enter(OWNER, { locale: 'de-DE' }, '/#organization/audit-log')
      await request('ann', 'PATCH /settings', { default_language: 'en' })
      await page.getByText(/Art der Organisation: Unternehmen/).waitFor()
      const log = (await page.locator('.items').textContent())!
      for (const words of [
        'hinzugefügt: Bea Baker · Gruppen hinzugefügt: deckhands',
        'Nachricht gelöschtBea Baker · #general',
        '2 Adressen',
        'jetzt Moderator',
        ': 90 Minuten',
      ]) {
        expect(log).toContain(words)
      }
      expect(log).not.toMatch(/[a-z]_[a-z]|\b(invite|message|sender|attachment) id\b|is multiuse|: ·/)
      await page.goto(`${server.url}/#channels/1`)
      const retention = page.getByLabel('Aufbewahrung von Nachrichten')
      expect(await retention.locator('option:checked').textContent()).toBe('Standard (Unbegrenzt)')
      expect(await retention.evaluate(roomForWords)).toBeGreaterThanOrEqual(0)
    })

    it('asks before it deletes older messages, after any number of days', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
      const choice = page.getByLabel('Message retention')
      const chosen = () => choice.locator('option:checked').textContent()
      const question = page.getByRole('dialog', { name: 'Delete older messages?' })
      const stored = async () => {
        const params = { event_types: ['realm'], fetch_event_types: ['realm'] }
        return (await request('ann', 'POST /register', params)).realm_message_retention_days
      }
      await choice.selectOption({ label: '30 days' })
      await question.getByText(/older than 30 days/).waitFor()
      await page.keyboard.press('Escape')
      expect([await chosen(), await stored()]).toEqual(['Forever', -1])
      await page.getByText('Custom number of days').click()
      await page.getByLabel('Days', { exact: true }).fill('45')
      await page.getByRole('button', { name: 'Save' }).click()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(chosen).toBe('45 days')
      expect(await stored()).toBe(45)
      // Nothing is deleted earlier than before.
      await choice.selectOption({ label: 'Forever' })
      await expect.poll(stored).toBe(-1)
    })

    it('makes fields for accounts elsewhere, which only administrators may fill', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/profile-field-settings')
      const form = page.locator('form').filter({ hasText: 'Type' })
      await form.getByLabel('Type').selectOption({ label: 'External account' })
      await form.getByLabel('Website').selectOption({ label: 'GitHub' })
      await form.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Change: GitHub username' }).click()
      const dialog = page.getByRole('dialog', { name: 'GitHub username' })
      await dialog.getByLabel('People can edit it themselves').uncheck()
      await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await form.page().keyboard.press('Escape')
      await form.getByLabel('Website').selectOption({ label: 'Other' })
      await form.getByLabel('Name', { exact: true }).fill('Boats')
      await form.getByLabel('Profile URL').fill('https://boats.example.com/%(username)s')
      await form.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Remove Boats' }).waitFor()
      const bea = await userIdOf(server, MEMBER)
      await page.goto(`${server.url}/#organization/users/active/${bea}`)
      const account = page.getByRole('dialog', { name: MEMBER })
      for (const [field, name] of [
        ['GitHub username', 'bea-b'],
        ['Boats', 'a/b'],
      ] as const) {
        await account.getByLabel(field).fill(name)
        await page.keyboard.press('Enter')
      }
      const there = await browsers.enter(MEMBER, {}, '/#settings/profile')
      await expect.poll(() => there.page.getByLabel('GitHub username').inputValue()).toBe('bea-b')
      expect(await there.page.getByLabel('GitHub username').isDisabled()).toBe(true)
      expect(await there.page.getByLabel('Boats').isDisabled()).toBe(false)
      await there.page.goto(`${server.url}/#user/${bea}`)
      const linked = (name: string) =>
        there.page.getByRole('link', { name, exact: true }).getAttribute('href')
      expect(await linked('bea-b')).toBe('https://github.com/bea-b')
      expect(await linked('a/b')).toBe('https://boats.example.com/a%2Fb')
    })

    it('keeps the focus on the buttons of an item that is moved', async () => {
      for (const name of ['AA', 'BB', 'CC']) {
        await request('ann', 'POST /realm/filters', {
          pattern: `${name}(?P<id>[0-9]+)`,
          url_template: 'https://example.com/{id}',
        })
      }
      const { page } = await browsers.enter(OWNER, {}, '/#organization/linkifier-settings')
      const named = (label: string) => page.getByRole('button', { name: label, exact: true })
      const up = named('Move CC(?P<id>[0-9]+) up')
      const order = () => page.locator('.item code').allTextContents()
      await up.focus()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await order())[1]).toContain('CC')
      await up.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await order())[0]).toContain('CC')
      await named('Move CC(?P<id>[0-9]+) down').and(page.locator(':focus')).waitFor()
    })

    it('keeps refused addresses alone, and forgets a link that another revokes', async () => {
      await request('ann', 'POST /user_groups/create', { name: 'choir', description: '', members: [] })
      const seat = await browsers.enter(OWNER, {}, '/#organization/invitations')
      const { page } = seat
      const form = page.locator('.part').filter({ hasText: 'Invite by email' })
      const sent = page.getByText('Invitation sent to ike@example.com.')
      await form.locator('textarea').fill('ike@example.com')
      await form.getByRole('button', { name: 'Send invitations' }).click()
      await sent.waitFor()
      await form.locator('textarea').fill('bea@example.com, ida@example.com')
      expect(await sent.count()).toBe(0)
      await page.getByRole('button', { name: 'Resend: ike@example.com' }).click()
      await sent.waitFor()
      await form.getByText('Groups to join').click()
      await form.getByLabel('choir').check()
      await form.getByRole('button', { name: 'Send invitations' }).click()
      await form.getByRole('alert').filter({ hasText: 'bea@example.com' }).waitFor()
      seat.complaints.splice(0)
      expect(await form.locator('textarea').inputValue()).toBe('bea@example.com')
      await page.locator('.item', { hasText: 'ida@example.com' }).waitFor()
      await page.getByRole('button', { name: 'Create link' }).click()
      const made = page.locator('[role="status"] .settings-key code')
      const link = await made.textContent()
      const { invites } = (await request('ann', 'GET /invites', {})) as { invites: Record<string, unknown>[] }
      const { id } = invites.find(({ link_url }) => link_url === link)!
      await request('ann', `DELETE /invites/multiuse/${id}`, {})
      await made.waitFor({ state: 'detached' })
    })

    it('says that invitations wait while the server cannot send mail', async () => {
      const { page } = await browsers.open({}, '/#organization/invitations')
      await page.route('**/json/register', async (route) => {
        const response = await route.fetch()
        const json = { ...fromJson<object>(await response.text()), server_sends_mail: false }
        await route.fulfill({ response, json })
      })
      await page.getByRole('button', { name: OWNER }).click()
      await page.getByText(/^This server can’t send email yet/).waitFor()
      await page.getByLabel(/^Email addresses/).fill('una@example.com')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText(/^Invitation saved\. It will be sent/).waitFor()
      await page.getByLabel(/^Email addresses/).fill('ulf@example.com, ute@example.com')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText(/^2 invitations saved\. They’ll be sent/).waitFor()
      await page.getByText('Anyone with the link can join.', { exact: true }).waitFor()
    })

    it('lists what names a group that is to be deactivated', async () => {
      const { group_id } = await request('ann', 'POST /user_groups/create', {
        name: 'pilots',
        description: '',
        members: [],
      })
      await request('ann', 'PATCH /realm', { can_add_custom_emoji_group: { new: group_id } })
      const seat = await browsers.enter(OWNER, {}, `/#groups/${group_id}`)
      const { page } = seat
      await page.getByRole('button', { name: 'Deactivate group' }).click()
      const question = page.getByRole('dialog', { name: 'Deactivate the group pilots?' })
      await question.getByRole('button', { name: 'Deactivate group' }).click()
      await question.getByRole('alert').filter({ hasText: 'Permissions: Who can add custom emoji' }).waitFor()
      seat.complaints.splice(0)
    })

    it('follows what a second administrator changes, also where the first has typed', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-profile')
      const name = page.getByLabel('Name', { exact: true })
      const before = await name.inputValue()
      await name.fill('Quay Company ')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await request('ann', 'PATCH /realm', { name: before })
      await expect.poll(() => name.inputValue()).toBe(before)
      // What the browser refuses is said where the server's refusals are.
      await name.fill('')
      await page.getByRole('heading', { name: 'Icon' }).click()
      await page.locator('.setting-row', { has: name }).getByRole('alert').waitFor()
      await name.focus()
      await page.keyboard.press('Escape')
      expect(await name.inputValue()).toBe(before)
      await page.locator('.setting-row', { has: name }).getByRole('alert').waitFor({ state: 'detached' })
    })

    it('lets owners alone choose how long a channel keeps messages', async () => {
      const owner = await userIdOf(server, OWNER)
      const { id } = await request('ann', 'POST /channels/create', { name: 'log', subscribers: [owner] })
      const kept = async () => {
        const { stream } = (await request('ann', `GET /streams/${id}`, {})) as {
          stream: { message_retention_days: number | null }
        }
        return stream.message_retention_days
      }
      const { page } = await browsers.enter(OWNER, {}, `/#channels/${id}/log/general`)
      const choice = page.getByLabel('Message retention')
      const chosen = () => choice.locator('option:checked').textContent()
      expect(await chosen()).toMatch(/^Organization default \(/)
      await choice.selectOption({ label: 'Forever' })
      await expect.poll(kept).toBe(-1)
      await page.getByText('Custom number of days').click()
      await page.getByLabel('Days', { exact: true }).fill('45')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const question = page.getByRole('dialog', { name: 'Delete older messages?' })
      await question.getByText('Messages older than 45 days').waitFor()
      expect(await kept()).toBe(-1)
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(kept).toBe(45)
      await expect.poll(chosen).toBe('45 days')
      await choice.selectOption({ index: 0 })
      await expect.poll(kept).toBe(null)
      await operate(server, owner, 'update-user', { user_id: await userIdOf(server, MEMBER), role: 200 })
      const theirs = await browsers.enter(MEMBER, {}, `/#channels/${id}/log/general`)
      await theirs.page.getByLabel('Name', { exact: true }).waitFor()
      expect(await theirs.page.getByLabel('Message retention').isDisabled()).toBe(true)
      expect(await theirs.page.getByText('Custom number of days').count()).toBe(0)
      await operate(server, owner, 'update-user', { user_id: await userIdOf(server, MEMBER), role: 400 })
    })

    it('asks before it lets more people read a private channel', async () => {
      const owner = await userIdOf(server, OWNER)
      const channel = { name: 'cabin', subscribers: [owner], invite_only: true }
      const { id } = await request('ann', 'POST /channels/create', channel)
      const { page } = await browsers.enter(OWNER, {}, `/#channels/${id}/cabin/general`)
      const choice = page.getByLabel('Who can join')
      const isPrivate = async () => {
        const { stream } = (await request('ann', `GET /streams/${id}`, {})) as {
          stream: { invite_only: boolean }
        }
        return stream.invite_only
      }
      await choice.selectOption({ label: 'Public: anyone can join' })
      const question = page.getByRole('dialog', { name: 'Let more people read #cabin?' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await isPrivate()).toBe(true)
      await choice.selectOption({ label: 'Public: anyone can join' })
      await question.getByRole('button', { name: 'Change' }).click()
      await expect.poll(isPrivate).toBe(false)
      await choice.selectOption({ index: 1 })
      await expect.poll(isPrivate).toBe(true)
    })
  },
)
