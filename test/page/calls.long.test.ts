import { createServer } from 'node:http'
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
await new Promise<void>((resolve) => nextcloud.listen(0, '127.0.0.1', resolve))
const { port } = nextcloud.address() as { port: number }
const address = `http://127.0.0.1:${port}`

const { browsers } = usePage([], {
  vars: { NEXTCLOUD_URL: address, NEXTCLOUD_USER: 'parley', NEXTCLOUD_PASSWORD: 'app password' },
})
afterAll(() => void nextcloud.close())

describe.skipIf(CHROMIUM === undefined)('calls in a browser', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('are made with the provider that an administrator has chosen', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    const provider = page.getByLabel('Call provider')
    await provider.waitFor()
    expect(await provider.locator('option').allTextContents()).toEqual([
      'None',
      'Jitsi Meet',
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

  it('say when no room could be made, and leave the text as it was', async () => {
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

  it('are not offered where the organization has chosen none', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    await page.getByLabel('Call provider').selectOption({ label: 'None' })
    await page.goto(new URL('/#narrow/channel/1-general/topic/plans', page.url()).href)
    await page.getByRole('textbox', { name: /plans/ }).waitFor()
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /call/ }).count()).toBe(0)
  })
})
