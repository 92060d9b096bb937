import { expect } from 'vitest'
import { Browser } from './browsing.ts'
import type { useCallServices } from './call-services.ts'
import type { TestUser } from './factories.ts'

type Services = ReturnType<typeof useCallServices>

const browsers = new Map<string, Browser>()

/** Returns a browser in which the person is logged in. */
export async function browserOf(host: string, user: Pick<TestUser, 'email'>): Promise<Browser> {
  const known = browsers.get(user.email)
  if (known) return known
  const browser = new Browser(host)
  expect((await browser.logIn(user.email, 'a fine password')).status).toBe(302)
  browsers.set(user.email, browser)
  return browser
}

/** Sends a browser to Zoom, and returns the address there. */
export async function sentToZoom(browser: Browser): Promise<string> {
  const begun = await browser.ask('GET', '/calls/zoom/register')
  expect(begun.status).toBe(302)
  return begun.headers.get('Location')!
}

/** Logs a person in at Zoom, as the user of Zoom with this id. */
export async function logInAtZoom(
  services: Services,
  host: string,
  user: Pick<TestUser, 'email'>,
  zoomId = `zoom ${user.email}`,
): Promise<Browser> {
  const browser = await browserOf(host, user)
  const query = services.now.allowAtZoom(await sentToZoom(browser), zoomId)
  const ended = await browser.ask('GET', `/calls/zoom/complete?${query}`)
  expect([ended.status, await ended.text()]).toEqual([
    200,
    expect.stringContaining('You can close this window'),
  ])
  return browser
}
