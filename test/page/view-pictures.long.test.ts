import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import type { LocalServer } from '../../scripts/local-server.ts'
import { WORK } from '../../scripts/project.ts'
import {
  differenceOf,
  KEPT_PICTURES,
  PICTURES_OF_VIEWS,
  startPicturedServer,
  ViewCamera,
} from '../../scripts/view-pictures.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM } from './open-page.ts'

/** Part of a picture that may differ: a word, or an icon and its label, is more. */
const TOLERANCE = 0.000_5
const MAX_KEPT_BYTES = 4_000_000
/** The pictures that are looked at, of each look some; `PICTURES=all` (npm run test:nightly) looks at all. */
const SAMPLE = [
  'inbox',
  'topic',
  'completion',
  'channel-settings',
  'topic-dark',
  'permissions-dark',
  'topic-phone',
  'sidebar-phone',
  'topic-rtl',
]
const LOOKED_AT = PICTURES_OF_VIEWS.filter(
  ({ name }) => process.env.PICTURES === 'all' || SAMPLE.includes(name),
)
/** Where pictures that differ are put, to be looked at. */
const DIFFERENT = join(WORK, 'pictures')

describe.skipIf(CHROMIUM === undefined)(
  'pictures of the views',
  needs(A_BROWSER, { timeout: 60_000 }),
  () => {
    let server: LocalServer
    let browser: Browser
    let camera: ViewCamera
    let bench: Page
    beforeAll(async () => {
      const { folder } = await buildPage()
      server = await startPicturedServer(folder)
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
      camera = new ViewCamera(browser, server.url)
      bench = await browser.newPage()
    }, 300_000)
    afterAll(async () => {
      await browser?.close()
      await server?.stop()
    })

    it.each(LOOKED_AT)('$name looks as it was kept', async (picture) => {
      const taken = await camera.take(picture)
      const file = join(KEPT_PICTURES, `${picture.name}.webp`)
      const difference = existsSync(file) ? await differenceOf(bench, readFileSync(file), taken) : 1
      if (difference > TOLERANCE) {
        mkdirSync(DIFFERENT, { recursive: true })
        writeFileSync(join(DIFFERENT, `${picture.name}.png`), taken)
      }
      const advice = `look at .parley/pictures/${picture.name}.png; if it is right: npm run pictures -- views ${picture.name}`
      expect(difference, advice).toBeLessThanOrEqual(TOLERANCE)
    })

    it('detect a changed word, and no change where there is none', async () => {
      const draw = async (words: string) => {
        await bench.setContent(`<p>${'The alarm rings. '.repeat(200)}${words}</p>`)
        return bench.screenshot()
      }
      const [first, same, other] = [await draw('No keys'), await draw('No keys'), await draw('So long')]
      expect(await differenceOf(bench, first, same)).toBe(0)
      expect(await differenceOf(bench, first, other)).toBeGreaterThan(0.000_1)
    })

    it('are forty or more, and small together', () => {
      const files = readdirSync(KEPT_PICTURES)
      expect(files.sort()).toEqual(PICTURES_OF_VIEWS.map(({ name }) => `${name}.webp`).sort())
      expect(files.length).toBeGreaterThanOrEqual(40)
      expect(LOOKED_AT.length).toBeGreaterThanOrEqual(SAMPLE.length)
      const bytes = files.reduce((sum, file) => sum + statSync(join(KEPT_PICTURES, file)).size, 0)
      expect(bytes).toBeLessThan(MAX_KEPT_BYTES)
    })
  },
)
