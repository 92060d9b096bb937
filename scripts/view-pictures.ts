/**
 * Pictures of the page's views, which a test compares with kept ones (test/page/view-pictures.long.test.ts). `npm run pictures -- views`
 * keeps new ones: look at each before it is committed. Data and clock are always the same, and so is the type, which is bundled; pictures
 * that were taken with other emoji or another Chromium may differ.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { ApiClient } from './api-client.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import { type LocalServer, startLocalServer } from './local-server.ts'
import { createOrganization } from './organizations.ts'
import { PROJECT } from './project.ts'

/** Argument of `npm run pictures` for them. */
export const VIEW_PICTURES = 'views'
export const KEPT_PICTURES = join(PROJECT, 'test/page/pictures')

/** Wednesday, when the demo organization is at work. */
export const PICTURE_TIME = new Date('2026-06-17T14:30:00Z')
/** Value of `web_mark_read_on_scroll_policy`: what is read would be read at some moment of the picture. */
const NEVER = 3
const WIDE = { width: 1024, height: 640 }
const PHONE = { width: 390, height: 780 }

export interface PictureOfView {
  readonly name: string
  /** The address after the slash. */
  readonly view: string
  readonly look: 'light' | 'dark' | 'phone' | 'rtl'
  /** The steps before the picture is taken. */
  readonly before?: (page: Page) => Promise<unknown>
}

const TOPIC = '#narrow/channel/1-general/topic/keys.20and.20alarm'

const openPalette = (page: Page) => page.keyboard.press('Control+k')
const openComposeMenu = (page: Page) => page.getByRole('button', { name: 'Add files and more' }).click()
const openOwnMenu = (page: Page) => page.getByRole('button', { name: /^You: / }).click()
const openSidebar = (page: Page) => page.getByRole('button', { name: 'Navigation' }).click()
const complete = async (page: Page) => {
  await page.locator('.compose-text').first().click()
  await page.keyboard.type('@c')
  await page.getByRole('option').first().waitFor()
}

/** Views in light, from the most used to the rarest. */
const LIGHT: readonly Omit<PictureOfView, 'look'>[] = [
  { name: 'inbox', view: '#inbox' },
  { name: 'recent', view: '#recent' },
  { name: 'feed', view: '#feed' },
  { name: 'channel', view: '#narrow/channel/1-general' },
  { name: 'topic', view: TOPIC },
  { name: 'direct', view: '#narrow/is/dm' },
  { name: 'mentions', view: '#narrow/is/mentioned' },
  { name: 'search', view: '#narrow/search/alarm' },
  { name: 'drafts', view: '#drafts' },
  { name: 'channels', view: '#channels' },
  { name: 'new-channel', view: '#channels/new' },
  { name: 'channel-settings', view: '#channels/1/general/general' },
  { name: 'people', view: '#people' },
  { name: 'person', view: '#user/8' },
  { name: 'help', view: '#help' },
  { name: 'nowhere', view: '#nowhere' },
  { name: 'palette', view: TOPIC, before: openPalette },
  { name: 'compose-menu', view: TOPIC, before: openComposeMenu },
  { name: 'completion', view: TOPIC, before: complete },
  { name: 'settings', view: '#settings/profile' },
  { name: 'invitations', view: '#organization/invitations' },
  { name: 'organization', view: '#organization/organization-profile' },
  { name: 'permissions', view: '#organization/organization-permissions' },
]

const find = (name: string) => LIGHT.find((one) => one.name === name)!
const inLook = (look: PictureOfView['look'], names: readonly string[]) =>
  names.map((name): PictureOfView => ({ ...find(name), name: `${name}-${look}`, look }))

export const PICTURES_OF_VIEWS: readonly PictureOfView[] = [
  ...LIGHT.map((one): PictureOfView => ({ ...one, look: 'light' })),
  ...inLook('dark', ['inbox', 'topic', 'search', 'channels', 'palette', 'settings', 'permissions', 'help']),
  ...inLook('phone', ['inbox', 'topic', 'search', 'channels', 'settings', 'people']),
  { name: 'sidebar-phone', view: '#inbox', look: 'phone', before: openSidebar },
  ...inLook('rtl', ['inbox', 'topic', 'channels', 'settings']),
  { name: 'own-menu', view: '#inbox', look: 'light', before: openOwnMenu },
]

/** Starts a server with the demo organization as it is at that time. @param folder of the built page */
export async function startPicturedServer(folder: string): Promise<LocalServer> {
  const server = await startLocalServer({ page: folder, vars: { RATE_LIMITS: 'off', LOG: 'troubles' } })
  const database = await server.runtime.getD1Database('DB')
  const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: 'localhost',
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  await fillDemoOrganization(server.url, created, PICTURE_TIME.getTime() / 1_000)
  const owner = new ApiClient(server.url, created)
  await owner.call('PATCH', '/settings', { web_mark_read_on_scroll_policy: NEVER })
  return server
}

/** Takes pictures as the owner sees the views, each in a browser of its own, so that none shows what was done for another. */
export class ViewCamera {
  readonly #browser: Browser
  readonly #url: string
  #loggedIn: Promise<StorageState> | undefined

  constructor(browser: Browser, url: string) {
    this.#browser = browser
    this.#url = url
  }

  /** Returns a picture as PNG. */
  async take({ view, look, before }: PictureOfView): Promise<Buffer> {
    this.#loggedIn ??= this.#logIn()
    const context = await this.#open(look, await this.#loggedIn)
    try {
      await context.route('**/json/**', changeNothing)
      const page = await context.newPage()
      await page.clock.setFixedTime(PICTURE_TIME)
      await page.goto(`${this.#url}/${look === 'rtl' ? '?dir=rtl' : ''}${view}`)
      await page.locator('.view-head').first().waitFor()
      await page.waitForFunction(() => document.querySelector('.loading') === null)
      await untilDrawn(page)
      if (before) {
        await before(page)
        await untilDrawn(page)
      }
      return await page.screenshot({ animations: 'disabled', caret: 'hide' })
    } finally {
      await context.close()
    }
  }

  #open(look: PictureOfView['look'], storageState?: StorageState): Promise<BrowserContext> {
    return this.#browser.newContext({
      viewport: look === 'phone' ? PHONE : WIDE,
      hasTouch: look === 'phone',
      colorScheme: look === 'dark' ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
      serviceWorkers: 'block',
      ...(storageState ? { storageState } : {}),
    })
  }

  /** Logs in once, and answers the question about notifications. */
  async #logIn(): Promise<StorageState> {
    const context = await this.#open('light')
    const page = await context.newPage()
    await page.clock.setFixedTime(PICTURE_TIME)
    await page.goto(this.#url)
    await page.getByRole('button', { name: DEMO_OWNER.full_name }).click()
    await page.locator('.app-shell').waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    const state = await context.storageState()
    await context.close()
    return state
  }
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Keeps the server as it is: nothing is read, drafted or said to be present, since pictures would depend on what was taken before. */
async function changeNothing(route: Route): Promise<void> {
  const request = route.request()
  const isReading = request.method() === 'GET' || /\/json\/(register|messages\/render)$/.test(request.url())
  await (isReading ? route.continue() : route.fulfill({ json: { result: 'success', msg: '' } }))
}

/** Waits until fonts and the pictures within the window are there, and nothing has changed for half a second. */
async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const isThere = (picture: HTMLImageElement) => {
      const { top, bottom } = picture.getBoundingClientRect()
      return picture.complete || top > innerHeight || bottom <= 0
    }
    const look = () => `${document.body.innerHTML.length} ${document.querySelector('.messages')?.scrollTop}`
    let before = ''
    for (let same = 0; same < 30; ) {
      await new Promise(requestAnimationFrame)
      const now = look()
      same = now === before && [...document.images].every(isThere) ? same + 1 : 0
      before = now
    }
  })
}

/** Returns the picture in the form in which it is kept: WebP without loss, which Chromium itself encodes. */
async function asWebP(page: Page, png: Buffer): Promise<Buffer> {
  const data = await page.evaluate(async (base64) => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${base64}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 1)
  }, png.toString('base64'))
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}

/**
 * Returns how much of two pictures differs, from 0 to 1. Both are compared at half their size, which evens out how the edges of letters are
 * drawn; small differences of colour do not count.
 */
export function differenceOf(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async ({ type, base64 }) => {
          const picture = new Image()
          picture.src = `data:${type};base64,${base64}`
          await picture.decode()
          const [width, height] = [Math.floor(picture.width / 2), Math.floor(picture.height / 2)]
          const canvas = new OffscreenCanvas(width, height)
          const context = canvas.getContext('2d')!
          context.imageSmoothingQuality = 'high'
          context.drawImage(picture, 0, 0, width, height)
          return context.getImageData(0, 0, width, height)
        }),
      )
      if (a!.width !== b!.width || a!.height !== b!.height) return 1
      let different = 0
      for (let at = 0; at < a!.data.length; at += 4) {
        const by = [0, 1, 2].map((channel) => Math.abs(a!.data[at + channel]! - b!.data[at + channel]!))
        if (Math.max(...by) > 32) different += 1
      }
      return different / (a!.width * a!.height)
    },
    [
      { type: 'image/webp', base64: one.toString('base64') },
      { type: 'image/png', base64: other.toString('base64') },
    ],
  )
}

/** Keeps new pictures in place of all that are there, or of those whose names are given. */
export async function keepViewPictures(
  browser: Browser,
  folder: string,
  names: readonly string[],
): Promise<void> {
  const server = await startPicturedServer(folder)
  try {
    const camera = new ViewCamera(browser, server.url)
    const page = await browser.newPage()
    await mkdir(KEPT_PICTURES, { recursive: true })
    const wanted = PICTURES_OF_VIEWS.filter(({ name }) => names.length === 0 || names.includes(name))
    for (const picture of wanted) {
      const kept = await asWebP(page, await camera.take(picture))
      await writeFile(join(KEPT_PICTURES, `${picture.name}.webp`), kept)
      console.log(`test/page/pictures/${picture.name}.webp: ${Math.round(kept.length / 1_024)} KiB`)
    }
    const known = new Set(PICTURES_OF_VIEWS.map(({ name }) => `${name}.webp`))
    for (const file of await readdir(KEPT_PICTURES)) {
      if (!known.has(file)) await rm(join(KEPT_PICTURES, file))
    }
  } finally {
    await server.stop()
  }
}
