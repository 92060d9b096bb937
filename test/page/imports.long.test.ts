import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, usePage } from './open-page.ts'
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
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

const choose = (page: Page, path: string) => page.getByLabel('Choose archive').setInputFiles(path)

/** Uploads the first part of an archive by the API. */
async function beginElsewhere(path: string): Promise<void> {
  const account = new URLSearchParams({ username: 'ann@example.com', password: PASSWORD })
  const answer = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body: account })
  const { api_key } = fromJson(await answer.text())
  const headers = {
    Authorization: `Basic ${btoa(`ann@example.com:${api_key}`)}`,
    'Tus-Resumable': '1.0.0',
  }
  const bytes = readFileSync(path)
  const begun = await fetch(`${server.url}/api/v1/imports/uploads/`, {
    method: 'POST',
    headers: {
      ...headers,
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${btoa(basename(path))}`,
    },
  })
  const { status } = await fetch(server.url + begun.headers.get('location')!, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' },
    body: bytes.subarray(0, PART),
  })
  expect(status).toBe(204)
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

describe.skipIf(CHROMIUM === undefined)(
  'imports in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('show what is in an archive, and bring it in as decided', async () => {
      const seat = await browsers.enter(OWNER, {}, '/#organization/imports')
      const { page } = seat
      await choose(page, archive('team.jsonl', 'campfire:harbour'))
      await page.getByRole('button', { name: 'Check archive' }).click()
      await page.getByText('team.jsonl is ready to import').waitFor()
      await page.getByRole('row', { name: 'People without an email address 1' }).waitFor()
      await page.getByRole('button', { name: 'Show details' }).click()
      await page.getByText('team.jsonl, line 6').waitFor()
      expect(await violations(page)).toEqual([])

      await page.locator('summary', { hasText: 'People' }).click()
      await page.getByRole('button', { name: 'Change mapping for Ben Brandt' }).click()
      await page.getByLabel('Change mapping for Ben Brandt').selectOption('Bea Baker')
      await page.getByLabel('Import direct messages').uncheck()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await confirm(page, 'Import')
      await page.getByText('team.jsonl · Done').waitFor()
      await page.getByText('1 imported person hasn’t logged in yet.').waitFor()
      expect(await violations(page)).toEqual([])
      await page.goto(page.url().replace(/#.*/, '#channels'))
      await page.getByText('harbour').first().waitFor()
      // At the end of an import the page's queue is gone.
      expectRefusals(seat)
    })

    it('go on with an upload that was begun elsewhere', async () => {
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

    it('are no section for others', async () => {
      const { page } = await browsers.enter('Bea Baker', {}, '/#settings/profile')
      await page.getByRole('link', { name: 'Profile' }).first().waitFor()
      expect(await page.locator('a[href$="#organization/imports"]').count()).toBe(0)
    })
  },
)
