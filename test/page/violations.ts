import AxeSource from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  /** The checker, in a page where its source has run. */
  var axe: typeof AxeSource
}

/** Rules that a view may keep in light and break in dark: the document is the same in both. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block']

/** Returns the violations that axe finds on the shown page: rule and elements. */
export function violations(page: Page): Promise<string[]> {
  // Rules of WCAG 2.2 are off by default.
  return violationsOf(page, { rules: { 'target-size': { enabled: true } } })
}

/** Returns those of the rules about colours, for a page of which `violations` has seen another colour scheme. */
export function violationsInColours(page: Page): Promise<string[]> {
  return violationsOf(page, { runOnly: ABOUT_COLOURS })
}

async function violationsOf(page: Page, options: AxeSource.RunOptions): Promise<string[]> {
  // The checker stays in a document while its address changes.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AxeSource.source)
  return page.evaluate(async (asked) => {
    // What fades in has too little contrast until it is there.
    const fading = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1)
    await Promise.allSettled(fading.map(({ finished }) => finished))
    const { violations: found } = await axe.run(document, { ...asked, resultTypes: ['violations'] })
    return found.flatMap(({ id, nodes }) =>
      nodes.slice(0, 4).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
    )
  }, options)
}
