import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { exportFiles, slackChannel, slackUser } from '../imports/slack-export.ts'
import { zipOf } from '../imports/zip-builder.ts'
import { PASSWORD } from '../node/found.ts'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const { server, browsers } = usePage(['Bea Baker'])

const MIB = 1024 * 1024
const PART = 16 * MIB

const folder = mkdtempSync(join(tmpdir(), 'parley-imports-'))

function archive(name: string, source: string, padding = 0): string {
  const lines = [
    { type: 'parley-import', version: 1, source },
    { type: 'user', id: 'a', full_name: 'Ada Amsel', email: 'ada@example.org', padding: 'x'.repeat(padding) },
    { type: 'user', id: 'b', full_name: 'Ben Brandt', padding: 'y'.repeat(padding) },
    { type: 'user', id: 'd', full_name: 'Dee Dorn' },
    { type: 'channel', id: 'c', name: 'harbour', members: [{ user: 'a' }, { user: 'b' }] },
    {
      type: 'message',
      id: '1',
      sender: 'a',
      time_ms: 1_600_000_000_000,
      channel: 'c',
      topic: 'engine',
      content: 'Broken',
    },
    { type: 'message', id: '2', sender: 'b', channel: 'c', topic: 'engine', content: 'without a time' },
  ]
  return archiveOf(name, lines)
}

function archiveOf(name: string, lines: readonly object[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

const headOf = (source: string) => ({ type: 'parley-import', version: 1, source })
const channel = (name: string, privacy = 'public') => ({
  ...{ type: 'channel', id: name, name, privacy },
  members: [{ user: 'g' }],
})
const said = (number: number, to: string, topic: string, content: string) => ({
  ...{ type: 'message', id: `${to} ${number}`, sender: 'g', time_ms: 1_600_000_000_000 + number },
  ...{ channel: to, topic, content },
})
const GUS = { type: 'user', id: 'g', full_name: 'Gus Grau' }

/** An export of Slack in which a message has no time. `later`: what was said in the main conversation since the first export. */
function slackExport(name: string, reply: string, ...later: string[]): string {
  const said = (second: number, text: string, more: object = {}) => ({
    ...{ type: 'message', user: 'U1', text, ts: `${1_402_560_000 + second}.000200` },
    ...more,
  })
  const thread = { thread_ts: '1402560002.000200' }
  const zip = zipOf(
    exportFiles({
      'users.json': [
        slackUser('U1', 'Ada Amsel', { profile: { email: 'amsel@example.org' } }),
        slackUser('U2', 'Ben Brandt'),
      ],
      'channels.json': [slackChannel('C1', 'quayside')],
      'groups.json': [slackChannel('G1', 'back room')],
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'quayside/2014-06-12.json': [
        said(1, 'Hello'),
        said(2, 'Broken *again*', { ...thread, reply_count: 1 }),
        said(3, reply, { ...thread, user: 'U2' }),
        { type: 'message', user: 'U1', text: 'never' },
        ...later.map((text, at) => said(1_000 + at, text)),
      ],
      'D1/2014-06-12.json': [said(5, 'Tea?')],
    }),
  )
  const path = join(folder, name)
  writeFileSync(path, zip)
  return path
}

const choose = (page: Page, path: string) => page.getByLabel('Choose archive').setInputFiles(path)

/** Makes a request as the owner. */
async function asOwner(path: string, options: RequestInit = {}): Promise<Response> {
  const account = new URLSearchParams({ username: 'ann@example.com', password: PASSWORD })
  const answer = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body: account })
  const { api_key } = fromJson(await answer.text())
  const headers = { ...options.headers, Authorization: `Basic ${btoa(`ann@example.com:${api_key}`)}` }
  return fetch(new URL(path, `${server.url}/api/v1/`), { ...options, headers })
}

/** Chooses an archive in place of the one that an earlier test has left. */
async function chooseInstead(page: Page, path: string): Promise<void> {
  const before = page.getByRole('button', { name: 'Delete archive' })
  await page.getByLabel('Choose archive').or(before).waitFor()
  if (await before.isVisible()) await confirm(page, 'Delete archive')
  await choose(page, path)
}

/** Uploads the first part of an archive by the API. */
async function beginElsewhere(path: string): Promise<void> {
  const bytes = readFileSync(path)
  const headers = { 'Tus-Resumable': '1.0.0' }
  const begun = await asOwner('imports/uploads/', {
    method: 'POST',
    headers: {
      ...headers,
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${btoa(basename(path))}`,
    },
  })
  const { status } = await asOwner(begun.headers.get('location')!, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' },
    body: bytes.subarray(0, PART),
  })
  expect(status).toBe(204)
}

async function makeChannel(name: string, invite_only: boolean): Promise<void> {
  const params = { subscriptions: JSON.stringify([{ name }]), invite_only: String(invite_only) }
  const { status } = await asOwner('users/me/subscriptions', {
    method: 'POST',
    body: new URLSearchParams(params),
  })
  expect(status).toBe(200)
}

/** Returns sender, topic and text of what people have said in a channel. */
async function messagesIn(name: string): Promise<string[][]> {
  const asked = new URLSearchParams({
    narrow: JSON.stringify([{ operator: 'channel', operand: name }]),
    ...{ anchor: 'newest', num_before: '50', num_after: '0', apply_markdown: 'false' },
  })
  const { messages } = fromJson(await (await asOwner(`messages?${asked}`)).text())
  return messages
    .map((one: Record<string, string>) => [one.sender_full_name, one.subject, one.content])
    .filter(([sender]: [string]) => !sender.endsWith('Bot'))
}

async function choiceOf(page: Page, name: string, target: string): Promise<void> {
  const label = `Change mapping for ${name}`
  await page.getByRole('button', { name: label }).click()
  await page.getByLabel(label).selectOption(target)
}

async function undo(ended: Locator): Promise<void> {
  await ended.getByRole('button', { name: 'Undo', exact: true }).click()
  await ended.page().getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

describe.skipIf(CHROMIUM === undefined)(
  'imports in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('show the content of an archive, and import it as decided', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/imports')
      const { page } = seat
      await choose(page, archive('team.jsonl', 'campfire:harbour'))
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('team.jsonl is ready to import').waitFor()
      await page.getByRole('row', { name: 'People without an email address 2' }).waitFor()
      await page.getByRole('button', { name: 'Show details' }).click()
      await page.getByText('team.jsonl, line 7').waitFor()
      // Names are written as they are.
      const letters = await page
        .locator('.import-counts th')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textTransform))
      expect(new Set(letters)).toEqual(new Set(['none']))
      await page.getByText(/^Rows written: \d+\. Database: .+\. Files: 0 bytes\.$/).waitFor()
      expect(await violations(page)).toEqual([])

      await page.locator('summary', { hasText: 'People' }).click()
      await page.getByRole('button', { name: 'Change mapping for Ben Brandt' }).click()
      await page.getByLabel('Change mapping for Ben Brandt').selectOption('Bea Baker')
      await page.getByLabel('Import direct messages').uncheck()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await confirm(page, 'Import')
      await page.getByText('team.jsonl · Done').waitFor()
      // Nobody can write to Dee.
      await page.getByText('1 imported person hasn’t logged in yet.').waitFor()
      expect(await violations(page)).toEqual([])
      await page.goto(page.url().replace(/#.*/, '#channels'))
      await page.getByText('harbour').first().waitFor()
      // At the end of an import the page's queue is gone.
      expectRefusals(seat)
    })

    it('resume an upload that was started elsewhere', async () => {
      const path = archive('large.jsonl', 'campfire:large', 10 * MIB)
      await beginElsewhere(path)
      const { page } = await browsers.enter(OWNER, {}, '/#organization/imports')
      await page.getByText('of large.jsonl uploaded. Choose the same file to continue.').waitFor()
      await choose(page, archive('other.jsonl', 'campfire:other'))
      await page.getByText('That’s not large.jsonl').waitFor()
      const parts: number[] = []
      page.on('request', (request) => {
        if (request.method() === 'PATCH') parts.push(Number(request.headers()['upload-offset']))
      })
      await choose(page, path)
      await page.getByRole('button', { name: 'Check archive' }).waitFor()
      expect(parts).toEqual([PART])
      await confirm(page, 'Delete archive')
      await page.getByText('Choose the export file').waitFor()
    })

    it('go as “Moving from Slack” says, word by word', { timeout: 240_000 }, async () => {
      const [, section] = /\n## Moving from Slack\n(.*?)\n## /s.exec(
        readFileSync(join(PROJECT, 'docs/import.md'), 'utf8'),
      )!
      expect([...section!.matchAll(/“([^”]+)”/g)].map(([, words]) => words)).toEqual([
        'Check archive',
        'Import',
        'imported from Slack',
        'Delete archive',
        'Yes, add only what’s new',
        'Email everyone',
      ])
      const seat = await browsers.enter(OWNER)
      const { page } = seat
      const toImport = async () => {
        await page.getByRole('button', { name: 'You: Ann' }).click()
        await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
        const sections = page.getByRole('navigation', { name: 'Settings' })
        await sections.getByRole('link', { name: 'Import', exact: true }).click()
      }
      await toImport()
      await choose(page, slackExport('slack.zip', 'Mended'))
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('slack.zip is ready to import').waitFor()
      await page.getByRole('row', { name: 'Private channels 1' }).waitFor()
      await page.getByText('message without a time').waitFor()
      for (const decided of ['Import private channels', 'Import direct messages'])
        expect(await page.getByLabel(decided).isChecked()).toBe(true)
      for (const matched of ['People', 'Channels'])
        await page.locator('summary', { hasText: new RegExp(`^${matched}`) }).waitFor()
      await confirm(page, 'Import')
      await page.getByText('slack.zip · Done').waitFor()
      await page.getByRole('button', { name: 'Undo' }).first().waitFor()
      // At the end of an import the page's queue is gone.
      expectRefusals(seat)

      await page.goto(`${server.url}/#channels`)
      await page.getByRole('link', { name: 'quayside' }).first().waitFor()
      const topics = async () => (await messagesIn('quayside')).map(([, topic, text]) => [topic, text])
      const thread = '2014-06-12 Broken again'
      const first = await topics()
      expect(first.map(([topic]) => topic)).toEqual([
        'imported from Slack',
        thread,
        'imported from Slack',
        thread,
      ])

      await page.goto(server.url)
      await toImport()
      await confirm(page, 'Delete archive')
      await choose(page, slackExport('week.zip', 'Mended', 'And a week later'))
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('week.zip is ready to import').waitFor()
      await page.getByText('Is this archive of the same workspace?').waitFor()
      await page.getByText('The estimate is for the whole archive').waitFor()
      await page.getByRole('button', { name: 'Yes, add only what’s new' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Yes, add only what’s new' }).click()
      await page.getByText('week.zip · Done').waitFor()
      const then = await topics()
      expect(then.slice(0, -1)).toEqual(first)
      expect(then.at(-1)).toEqual(['imported from Slack', 'And a week later'])
      const group = { name: 'Pilots', description: '', members: [], subgroups: [] }
      await operate(server, await userIdOf(server, OWNER), 'create-user-group', group)
      await page.getByLabel('Who gets the email').selectOption({ label: 'Pilots' })
      expect(await page.getByRole('button', { name: 'Email this group' }).isDisabled()).toBe(true)
      await page.getByLabel('Who gets the email').selectOption({ label: 'Everyone' })
      await confirm(page, 'Email everyone')
      await page.getByText('The emails are on their way.').waitFor()
      expectRefusals(seat)
    })

    it('put people and channels where an owner has chosen', async () => {
      await makeChannel('wharf', false)
      await makeChannel('office', true)
      const seat = await browsers.enter(OWNER, {}, '/#organization/imports')
      const { page } = seat
      const lines = [
        ...[headOf('campfire:chosen'), GUS, channel('pier'), channel('vault', 'private')],
        ...[said(1, 'pier', 'tide', 'Low'), said(2, 'vault', 'safe', 'Locked')],
      ]
      await chooseInstead(page, archiveOf('chosen.jsonl', lines))
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('chosen.jsonl is ready to import').waitFor()

      await page.locator('summary', { hasText: 'People' }).click()
      await choiceOf(page, 'Gus Grau', 'Bea Baker')
      await page.locator('summary', { hasText: 'Channels' }).click()
      await choiceOf(page, 'pier', '#wharf')
      // A private channel would be open to all in a public one.
      await page.getByRole('button', { name: 'Change mapping for vault' }).click()
      const targets = page.getByLabel('Change mapping for vault').locator('option')
      await expect.poll(() => targets.allTextContents()).toContain('#office')
      expect(await targets.allTextContents()).not.toContain('#wharf')
      await page.getByLabel('Change mapping for vault').selectOption('#office')
      expect(await violations(page)).toEqual([])
      await confirm(page, 'Import')
      await page.getByText('chosen.jsonl · Done').waitFor()
      expect(await messagesIn('wharf')).toEqual([['Bea Baker', 'tide', 'Low']])
      expect(await messagesIn('office')).toEqual([['Bea Baker', 'safe', 'Locked']])
      expectRefusals(seat)

      // A second import leaves them there, unless it is of another place.
      await page.goto(`${server.url}/#organization/imports`)
      await page.reload()
      await chooseInstead(
        page,
        archiveOf('later.jsonl', [...lines, { ...GUS, id: 'h', full_name: 'Hal Horn' }]),
      )
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('Is this archive of the same workspace?').waitFor()
      await page.locator('summary', { hasText: 'People' }).click()
      await page.locator('summary', { hasText: 'Channels' }).click()
      const change = (name: string) => page.getByRole('button', { name: `Change mapping for ${name}` })
      await change('Hal Horn').waitFor()
      for (const [name, target] of Object.entries({
        'Gus Grau': 'Bea Baker',
        pier: '#wharf',
        vault: '#office',
      })) {
        const item = page.getByRole('listitem').filter({ hasText: `${name} → ${target}` })
        await item.getByText('Imported before').waitFor()
        expect(await change(name).count()).toBe(0)
      }
      expect(await violations(page)).toEqual([])
      await confirm(page, 'No, it’s another one')
      await page.getByText('Is this archive of the same workspace?').waitFor({ state: 'detached' })
      await page.locator('summary', { hasText: 'People' }).click()
      await choiceOf(page, 'Gus Grau', 'Bea Baker')
      await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel import' }).click()
      const question = page.getByRole('dialog', { name: 'Cancel this import?' })
      await question.getByRole('button', { name: 'Don’t cancel' }).click()
      await question.waitFor({ state: 'detached' })
      await confirm(page, 'Cancel import')
      await page.getByText('later.jsonl · Canceled').waitFor()
    })

    it('have a button of their own for the file, for keys too', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/imports')
      const before = page.getByRole('button', { name: 'Delete archive' })
      const field = page.getByLabel('Choose archive')
      await field.or(before).waitFor()
      if (await before.isVisible()) await confirm(page, 'Delete archive')
      expect(
        await field.evaluate((input) => [getComputedStyle(input).opacity, input.getAttribute('title')]),
      ).toEqual(['0', ' '])
      await page.getByText('Choose the export file').waitFor()
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      // Asked for early, since the browser is told to hand its dialogs over.
      const asked = page.waitForEvent('filechooser', { timeout: 60_000 })
      // The field may have the focus already: only a key shows where it is.
      await page.keyboard.press('Shift+Tab')
      for (let presses = 0; presses < 60; presses += 1) {
        if (await field.evaluate((input) => input === document.activeElement)) break
        await page.keyboard.press('Tab')
      }
      const button = page.locator('label.file-button')
      expect(await button.evaluate((label) => getComputedStyle(label).outlineStyle)).toBe('solid')
      await page.keyboard.press('Enter')
      const chooser = await asked
      await chooser.setFiles(archiveOf('keys.jsonl', [headOf('campfire:keys'), GUS]))
      await page.getByText('keys.jsonl (').waitFor()
    })

    it('stop when they are cancelled, and leave nothing when they are undone', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/imports')
      const { page } = seat
      const imports = async (name: string, lines: readonly object[]) => {
        await chooseInstead(page, archiveOf(name, [headOf(`campfire:${name}`), GUS, ...lines]))
        await page.getByRole('button', { name: 'Check archive' }).click()
        await page.getByText(`${name} is ready to import`).waitFor()
        await confirm(page, 'Import')
      }
      const ended = (name: string) => page.locator('.import-ended', { hasText: name })
      await imports('small.jsonl', [channel('jetty'), said(1, 'jetty', 'tide', 'Low')])
      await page.getByText('small.jsonl · Done').waitFor()

      await imports('big.jsonl', [
        channel('lagoon'),
        ...Array.from({ length: 20_000 }, (_, at) => said(at, 'lagoon', 'tide', `Low ${at}`)),
      ])
      await page.getByText(/^[\d,]+ of 20,000 messages/).waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('status').filter({ hasText: 'Paused · big.jsonl' }).waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      await confirm(page, 'Cancel import')
      await page.getByText('big.jsonl · Canceled').waitFor()
      await ended('big.jsonl').locator('summary').click()
      const kept = await ended('big.jsonl')
        .getByRole('row', { name: /^Messages [\d,]+$/ })
        .textContent()
      expect(Number(kept!.replace(/\D/g, ''))).toBeLessThan(20_000)

      await undo(ended('small.jsonl'))
      await page
        .getByRole('alert')
        .filter({ hasText: 'The archive "big.jsonl" was imported later' })
        .waitFor()
      await page.keyboard.press('Escape')
      await undo(ended('big.jsonl'))
      await page.getByText('big.jsonl · Undone').waitFor()
      await undo(ended('small.jsonl'))
      await page.getByText('small.jsonl · Undone').waitFor()
      await page.goto(`${server.url}/#channels`)
      await page.getByRole('link', { name: 'general' }).first().waitFor()
      for (const name of ['lagoon', 'jetty'])
        expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
      // At the end of each the page's queue was gone.
      expectRefusals(seat)
    })

    it('are no section for others', async () => {
      const { page } = await browsers.enter('Bea Baker', {}, '/#settings/profile')
      await page.getByRole('link', { name: 'Profile' }).first().waitFor()
      expect(await page.locator('a[href$="#organization/imports"]').count()).toBe(0)
    })
  },
)
