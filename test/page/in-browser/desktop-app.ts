import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

describe.skipIf(CHROMIUM === undefined)('in the desktop app the page', needs(A_BROWSER, TIME), () => {
  it('reports unread messages, and the name of the organization', async () => {
    const page = await enterInApp()
    await expect.poll(() => lastOf(page, 'total_unread_count')).toBeTypeOf('number')
    const before = Number(await lastOf(page, 'total_unread_count'))
    await operate(server, await userIdOf(server, OTHER), 'send-message', {
      type: 'direct',
      to: [await userIdOf(server, OWNER)],
      content: 'Are you there?',
      read_by_sender: true,
    })
    await expect.poll(() => lastOf(page, 'total_unread_count')).toBe(before + 1)
    const name = String(await lastOf(page, 'realm_name'))
    await page.locator('.top-bar').getByText(name, { exact: true }).waitFor()
    expect(await lastOf(page, 'realm_icon_url')).toMatch(/^(?:https?:)?\/.+/)
  })

  it('does what the app’s menus ask for', async () => {
    const page = await enterInApp()
    await ask(page, 'show-notification-settings')
    await page.waitForURL(/#settings\/notifications$/)
    await ask(page, 'show-keyboard-shortcuts')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await ask(page, 'logout')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })
})

interface Bridge {
  readonly sent: [string, unknown][]
  readonly listeners: Record<string, () => void>
}

/** Opens the page with the app's bridge, which remembers what it is given. */
async function enterInApp(): Promise<Page> {
  const { page } = await browsers.enter(OWNER)
  await page.addInitScript(() => {
    const bridge: Bridge = { sent: [], listeners: {} }
    Object.assign(window, {
      bridge,
      electron_bridge: {
        send_event: (name: string, value: unknown) => bridge.sent.push([name, value]) > 0,
        on_event: (name: string, listener: () => void) => {
          bridge.listeners[name] = listener
        },
      },
    })
  })
  await page.reload()
  await page.locator('.app-shell').waitFor()
  return page
}

function lastOf(page: Page, event: string): Promise<unknown> {
  return page.evaluate(
    (wanted) => (window as { bridge?: Bridge }).bridge!.sent.findLast(([name]) => name === wanted)?.[1],
    event,
  )
}

async function ask(page: Page, event: string): Promise<void> {
  await page.evaluate((name) => (window as { bridge?: Bridge }).bridge!.listeners[name]?.(), event)
}
