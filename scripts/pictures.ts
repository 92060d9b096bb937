/**
 * `npm run pictures`: takes the pictures of the page in `docs/` again, with a headless Chromium and a demo organization in a folder of
 * its own. `npm run pictures -- integrations` takes those of messages of services instead (integration-pictures.ts),
 * `npm run pictures -- import` those of conversations from Slack (import-pictures.ts), and `npm run pictures -- views [name …]` those with
 * which a test compares the views (view-pictures.ts).
 */
import { join } from 'node:path'
import process from 'node:process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildPage } from './build-page.ts'
import { chromiumPath } from './chromium.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import { IMPORT_PICTURES, OWNER_WHO_IMPORTS, takeImportPictures } from './import-pictures.ts'
import { takeIntegrationPictures } from './integration-pictures.ts'
import { PICTURES_FOLDER } from './integrations-page.ts'
import { startLocalServer } from './local-server.ts'
import { createOrganization } from './organizations.ts'
import { exitWithError, PROJECT } from './project.ts'
import { keepViewPictures, PICTURE_TIME, VIEW_PICTURES } from './view-pictures.ts'

const PICTURES = [
  {
    file: 'page.png',
    width: 1280,
    height: 800,
    scheme: 'light',
    view: '#narrow/channel/1-general/topic/keys.20and.20alarm',
  },
  { file: 'page-dark.png', width: 1280, height: 800, scheme: 'dark', view: '#inbox' },
  {
    file: 'page-phone.png',
    width: 390,
    height: 780,
    scheme: 'light',
    view: '#narrow/channel/1-general/topic/keys.20and.20alarm',
  },
] as const

async function main(): Promise<void> {
  const program = chromiumPath()
  if (program === undefined)
    throw new Error('No Chromium was found. Install one, or set CHROMIUM to its path.')
  const { folder } = await buildPage()
  const [kind, ...names] = process.argv.slice(2)
  if (kind === VIEW_PICTURES) return takeViewPictures(program, folder, names)
  const server = await startLocalServer({ page: folder, vars: { RATE_LIMITS: 'off', LOG: 'troubles' } })
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    const database = await server.runtime.getD1Database('DB')
    const isOfImport = process.argv.includes(IMPORT_PICTURES)
    const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
      name: isOfImport ? 'Harbour' : DEMO_ORGANIZATION,
      host: 'localhost',
      owner: { ...(isOfImport ? OWNER_WHO_IMPORTS : DEMO_OWNER), password: DEMO_PASSWORD },
    })
    if (isOfImport) {
      const page = await newPage(browser, { width: 1_000, height: 860, scheme: 'light' })
      await takeImportPictures(server.url, created, page)
    } else if (process.argv.includes(PICTURES_FOLDER)) {
      const page = await newPage(browser, { width: 720, height: 900, scheme: 'light' })
      await takeIntegrationPictures(server.url, created, page)
    } else {
      await fillDemoOrganization(server.url, created, PICTURE_TIME.getTime() / 1_000)
      await takePagePictures(server.url, browser)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function takeViewPictures(program: string, folder: string, names: readonly string[]): Promise<void> {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    await keepViewPictures(browser, folder, names)
  } finally {
    await browser.close()
  }
}

async function takePagePictures(url: string, browser: Browser): Promise<void> {
  for (const { file, view, ...look } of PICTURES) {
    const page = await newPage(browser, look)
    await page.clock.setFixedTime(PICTURE_TIME)
    await page.goto(`${url}/${view}`)
    await page.getByRole('button', { name: DEMO_OWNER.full_name }).click()
    await page
      .locator(view === '#inbox' ? '.inbox-row' : '.message')
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: join(PROJECT, 'docs', file) })
    await page.context().close()
    console.log(`docs/${file}`)
  }
}

interface Look {
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
}

async function newPage(browser: Browser, { width, height, scheme }: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    serviceWorkers: 'block',
  })
  return context.newPage()
}

if (import.meta.main) await main().catch(exitWithError)
