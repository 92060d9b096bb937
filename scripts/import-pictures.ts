/** Takes the pictures of docs/import.md: ten conversations of an example that was imported from Slack. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { ApiClient } from './api-client.ts'
import { uploadArchive } from './import-upload.ts'
import type { ShownImport } from './import-words.ts'
import type { CreatedOrganization } from './organizations.ts'
import { PROJECT } from './project.ts'
import { slackExample } from './slack-example.ts'

export const IMPORT_PICTURES = 'import'
/** Her address is the one in the export. */
export const OWNER_WHO_IMPORTS = { email: 'ada@harbour.example', full_name: 'Ada Amsel' }
const FOLDER = join(PROJECT, 'docs', IMPORT_PICTURES)
const QUALITY = 80
const CHANNELS = ['general', 'engineering', 'design', 'incidents', 'random', 'builds', 'leads', 'old-site']
const LOOK_MS = 300

/** Imports the example export through its owner's account, and takes pictures of conversations. */
export async function takeImportPictures(
  url: string,
  { email, api_key }: CreatedOrganization,
  page: Page,
): Promise<void> {
  const owner = new ApiClient(url, { email, api_key })
  await importExample(owner)
  const { streams } = await owner.call<{ streams: { stream_id: number; name: string }[] }>(
    'GET',
    '/streams',
    {
      include_all: true,
      exclude_archived: false,
    },
  )
  const { members } = await owner.call<{ members: { user_id: number; full_name: string }[] }>('GET', '/users')
  const channel = (name: string) => `channel/${streams.find((one) => one.name === name)!.stream_id}`
  const direct = (...names: string[]) =>
    `dm/${names.map((name) => members.find((one) => one.full_name === name)!.user_id).join(',')}`
  await page.goto(`${url}/#inbox`)
  await page.getByRole('button', { name: 'Ada Amsel' }).click()
  await page.getByRole('button', { name: 'Not now' }).click()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, place] of [
    ...CHANNELS.map((one) => [one, channel(one)] as const),
    ['direct', direct('Ben Brandt')],
    ['group', direct('Ben Brandt', 'Cleo Cruz')],
  ] as const) {
    await page.goto(`${url}/#narrow/${place}`)
    await page.locator('.message').first().waitFor()
    await page.waitForTimeout(2_000)
    writeFileSync(join(FOLDER, `${name}.webp`), await pictureOf(page))
  }
}

async function importExample(owner: ApiClient): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-slack-'))
  try {
    const file = join(folder, 'slack.zip')
    writeFileSync(file, slackExample(readFileSync(join(PROJECT, 'docs', 'page.png'))))
    const upload = await uploadArchive(owner, file, () => {})
    const { id } = await owner.call<{ id: number }>('POST', '/imports', { upload_id: upload })
    await untilIn(owner, id, 'waiting')
    await owner.call('PATCH', `/imports/${id}`, { action: 'run' })
    await untilIn(owner, id, 'finished')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function untilIn(owner: ApiClient, id: number, state: string): Promise<void> {
  for (;;) {
    const { imports } = await owner.call<{ imports: ShownImport[] }>('GET', '/imports')
    const shown = imports.find((one) => one.id === id)!
    if (shown.state === state) return
    if (shown.state === 'failed') throw new Error('The import failed')
    await setTimeout(LOOK_MS)
  }
}

async function pictureOf(page: Page): Promise<Buffer> {
  // Playwright cannot write WebP itself.
  const devtools = await page.context().newCDPSession(page)
  const box = (await page.getByRole('main').boundingBox())!
  const clip = { ...box, scale: 1 }
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}
