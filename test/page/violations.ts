import AxeSource from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  /** The checker, in a page where its source has run. */
  var axe: typeof AxeSource
}

/** Returns the violations that axe finds on the shown page: rule and elements. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AxeSource.source)
  return page.evaluate(async () => {
    // Rules of WCAG 2.2 are off by default.
    const rules = { 'target-size': { enabled: true } }
    const { violations: found } = await axe.run(document, { resultTypes: ['violations'], rules })
    return found.flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    )
  })
}
