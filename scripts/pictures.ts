/**
 * `npm run pictures`: takes the pictures of the page in `docs/` again, with a headless Chromium and a demo organization in a folder of
 * its own.
 */
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { buildPage } from './build-page.ts'
import { chromiumPath } from './chromium.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import { startLocalServer } from './local-server.ts'
import { createOrganization } from './organizations.ts'
import { exitWithError, PROJECT } from './project.ts'

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
  const server = await startLocalServer({ page: folder, vars: { RATE_LIMITS: 'off', LOG: 'troubles' } })
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    const database = await server.runtime.getD1Database('DB')
    const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
      name: DEMO_ORGANIZATION,
      host: 'localhost',
      owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
    })
    await fillDemoOrganization(server.url, created)
    for (const { file, width, height, scheme, view } of PICTURES) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: scheme,
        locale: 'en-GB',
        serviceWorkers: 'block',
      })
      const page = await context.newPage()
      await page.goto(`${server.url}/${view}`)
      await page.getByRole('button', { name: DEMO_OWNER.full_name }).click()
      await page
        .locator(view === '#inbox' ? '.inbox-row' : '.message')
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Not here' }).click()
      await page.waitForTimeout(1_000)
      await page.screenshot({ path: join(PROJECT, 'docs', file) })
      await context.close()
      console.log(`docs/${file}`)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

if (import.meta.main) await main().catch(exitWithError)
