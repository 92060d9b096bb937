import { createServer, type Server } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, usePage } from './open-page.ts'
import { violations } from './violations.ts'

let isDown = false
const rooms: { roomType: number; roomName: string }[] = []
/** Nextcloud, as far as its Talk makes rooms. */
const nextcloud = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const isRight =
      request.url === '/ocs/v2.php/apps/spreed/api/v4/room' &&
      request.headers.authorization === `Basic ${btoa('parley:app password')}` &&
      request.headers['ocs-apirequest'] === 'true'
    if (!isRight || isDown) {
      response.writeHead(isDown ? 503 : 401).end('{}')
      return
    }
    rooms.push(fromJson(body))
    response.writeHead(201, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ ocs: { data: { token: `room${rooms.length}` } } }))
  })
})
/** Zoom: its page allows everything at once. A token is good until the test takes it back. */
let isAllowed = true
const zoom = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://zoom.example.test')
  if (pathname === '/oauth/authorize') {
    const back = new URL(searchParams.get('redirect_uri')!)
    back.search = `${new URLSearchParams({ code: 'code-1', state: searchParams.get('state')! })}`
    response.writeHead(302, { Location: back.href }).end()
    return
  }
  if (pathname === '/oauth/token') {
    isAllowed = true
    const tokens = { access_token: 'access', refresh_token: 'refresh', expires_in: 3_600 }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(tokens))
    return
  }
  response.writeHead(isAllowed ? 201 : 401, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ join_url: 'https://zoom.us/j/1', host_id: 'zoom-1' }))
})

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
const [address, zoomAddress] = [await addressOf(nextcloud), await addressOf(zoom)]

const { browsers } = usePage([], {
  vars: {
    NEXTCLOUD_URL: address,
    NEXTCLOUD_USER: 'parley',
    NEXTCLOUD_PASSWORD: 'app password',
    ZOOM_CLIENT_ID: 'client-1',
    ZOOM_CLIENT_SECRET: 'zoom secret',
    ZOOM_URL: zoomAddress,
    ZOOM_API_URL: zoomAddress,
  },
})
afterAll(() => {
  nextcloud.close()
  zoom.close()
})

describe.skipIf(CHROMIUM === undefined)('calls in a browser', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('are made with the provider that an administrator has chosen', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    const provider = page.getByLabel('Call provider')
    await provider.waitFor()
    expect(await provider.locator('option').allTextContents()).toEqual([
      'None',
      'Jitsi Meet',
      'Zoom',
      'Nextcloud Talk',
    ])
    await provider.selectOption({ label: 'Nextcloud Talk' })
    await expect.poll(() => page.getByLabel('Jitsi server URL').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.goto(new URL('/#narrow/channel/1-general/topic/plans', page.url()).href)
    const box = page.getByRole('textbox', { name: /plans/ })
    await box.waitFor()
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Video call' }).click()
    await expect.poll(() => box.inputValue()).toContain(`(${address}/call/room1)`)
    expect(rooms).toEqual([{ roomType: 3, roomName: expect.stringContaining('plans') }])
  })

  it('show when no room could be made, and leave the text unchanged', async () => {
    isDown = true
    const seat = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/plans')
    const { page } = seat
    const box = page.getByRole('textbox', { name: /plans/ })
    await box.waitFor()
    const before = await box.inputValue()
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Voice call' }).click()
    await page.getByText('Failed to create Nextcloud Talk room').waitFor()
    expect(await box.inputValue()).toBe(before)
    expectRefusals(seat)
  })

  it('wait for a log-in at Zoom if each person needs one, then continue', async () => {
    const seat = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    const { page } = seat
    await page.getByLabel('Call provider').selectOption({ label: 'Zoom' })
    await page.goto(new URL('/#narrow/channel/1-general/topic/zoom', page.url()).href)
    const box = page.getByRole('textbox', { name: /zoom/ })
    const call = async (name: string) => {
      await box.fill('')
      await page.getByRole('button', { name: 'Add files and more' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await box.waitFor()
    for (const name of ['Video call', 'Voice call']) {
      const opened = page.waitForEvent('popup')
      await call(name)
      const dialog = page.getByRole('dialog', { name: 'Log in to Zoom' })
      await (await opened).getByText('You can close this window').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => box.inputValue()).toContain('(https://zoom.us/j/1)')
      // Without the dialog, as long as Zoom takes the token.
      await call(name)
      await expect.poll(() => box.inputValue()).toContain('(https://zoom.us/j/1)')
      isAllowed = false
    }
    expectRefusals(seat)
  })

  it('can be given up while the log-in at Zoom is waited for', async () => {
    isAllowed = false
    const seat = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/zoom')
    const { page } = seat
    await page.context().route('**/calls/zoom/register', (route) => route.abort())
    const box = page.getByRole('textbox', { name: /zoom/ })
    await box.fill('')
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Video call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log in to Zoom' })
    await dialog.getByRole('link', { name: 'Open the window again' }).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('')
    expectRefusals(seat)
  })

  it('are not offered if the organization has chosen none', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    await page.getByLabel('Call provider').selectOption({ label: 'None' })
    await page.goto(new URL('/#narrow/channel/1-general/topic/plans', page.url()).href)
    await page.getByRole('textbox', { name: /plans/ }).waitFor()
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /call/ }).count()).toBe(0)
  })
})
