import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildComponents } from '../../scripts/build-page.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { Browsers, CHROMIUM } from './open-page.ts'
import { violations } from './violations.ts'

describe.skipIf(CHROMIUM === undefined)('the components', needs(A_BROWSER, { timeout: 120_000 }), () => {
  let server: LocalServer
  const browsers = new Browsers()
  beforeAll(async () => {
    server = await startLocalServer({ components: await buildComponents() })
    await browsers.launch(server)
  })
  afterAll(async () => {
    await browsers.close()
    await server?.stop()
  })

  it.each(['light', 'dark'].flatMap((scheme) => ['ltr', 'rtl'].map((dir) => [scheme, dir] as const)))(
    'are shown in each state, without a fault that axe finds: %s, %s',
    async (scheme, dir) => {
      const { page, complaints } = await browsers.open({}, `/dev/components?scheme=${scheme}&dir=${dir}`)
      await page.getByRole('heading', { name: 'States of a view' }).waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})
