import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

const TOPIC = '#narrow/channel/1-general/topic/kept'
const { browsers } = usePage([])

describe.skipIf(CHROMIUM === undefined)('zz', needs(A_BROWSER, { timeout: 240_000 }), () => {
  for (const kind of ['allow', 'block'] as const)
    for (const reloads of [false, true])
      it(`${kind} ${reloads}`, async () => {
        if (kind === 'block' && reloads) return
        const seat = await browsers.enter(OWNER, { serviceWorkers: kind }, `/${TOPIC}`)
        const { page } = seat
        const asked = new Map<string, number>()
        const note = (url: string) => {
          const name = new URL(url).pathname.replace(/-[\w-]{8}\./, '.')
          asked.set(name, (asked.get(name) ?? 0) + 1)
        }
        page.context().on('requestfailed', (r) => note(r.url()))
        await page.locator('.compose-text').waitFor()
        await page.waitForTimeout(6_000)
        await page.context().setOffline(true)
        if (reloads) await page.reload()
        await page.waitForTimeout(45_000)
        console.log(kind, reloads, JSON.stringify([...asked]), 'complaints', seat.complaints.length)
        const by = new Map<string, number>()
        for (const c of seat.complaints) by.set(c.slice(0, 150), (by.get(c.slice(0, 150)) ?? 0) + 1)
        console.log(JSON.stringify([...by], null, 1))
        await page.context().setOffline(false)
        await page.waitForTimeout(3_000)
        seat.complaints.splice(0)
        expect(1).toBe(1)
      })
})
