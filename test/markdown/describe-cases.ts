import { describe, expect, it } from 'vitest'
import { type MarkdownLookups, renderMarkdown } from '../../src/markdown/render.ts'
import { notUnderstood } from '../clients/mobile-html.ts'
import { lookups } from './lookups.ts'

/** A source and the HTML it is rendered to. */
export type Case = readonly [source: string, html: string]

/** HTML of a source in the tests' organization. */
export function rendered(source: string, changes: Partial<MarkdownLookups> = {}): string {
  return renderMarkdown(source, { ...lookups, ...changes }).html
}

/** One test for each case of a construct; the mobile client understands each of them. */
export function describeCases(
  construct: string,
  cases: readonly Case[],
  changes: Partial<MarkdownLookups> = {},
): void {
  describe(construct, () => {
    it.each(cases.map(([source, html]) => ({ source, html })))('$source', ({ source, html }) => {
      expect(rendered(source, changes)).toBe(html)
      expect(notUnderstood(html)).toEqual([])
    })
  })
}

/** Cases whose source is one paragraph; `html` is what stands in it. */
export function inParagraph(cases: readonly Case[]): Case[] {
  return cases.map(([source, html]) => [source, `<p>${html}</p>`])
}
