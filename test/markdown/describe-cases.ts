import { describe, expect, it } from 'vitest'
import { type MarkdownLookups, renderMarkdown } from '../../src/markdown/render.ts'
import { notUnderstood } from '../clients/mobile-html.ts'
import { lookups } from './lookups.ts'

/** A source, and the HTML that it is rendered to. */
export type Case = readonly [source: string, html: string]

/** Returns the HTML of a source in the tests' organization. */
export function rendered(source: string, changes: Partial<MarkdownLookups> = {}): string {
  return renderMarkdown(source, { ...lookups, ...changes }).html
}

/** Adds one test for each case of a construct; each also checks that the mobile client understands the HTML. */
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

/** Returns cases whose source is one paragraph; `html` is its content. */
export function inParagraph(cases: readonly Case[]): Case[] {
  return cases.map(([source, html]) => [source, `<p>${html}</p>`])
}
