import { firstUsesOfLanguages } from './highlight.ts'
import { firstUsesOfLinkifiers, type Linkifier } from './linkifiers.ts'
import type { FirstUse, MarkdownLookups } from './render-types.ts'

type Noting = Pick<MarkdownLookups, 'linkifiers' | 'noteFirstUses'>

/**
 * Collects what rendering a text needs and this isolate has not made yet: compiled rules for links, and the grammars of its languages.
 * The rendering is the same whether or not they were made before.
 */
export function noteFirstUses(source: string, { linkifiers, noteFirstUses }: Noting): void {
  if (!noteFirstUses) return
  const uses = firstUsesOf(source, linkifiers)
  if (uses.length > 0) noteFirstUses(uses)
}

/** Does the same for the links of topics. */
export function noteFirstUsesOfTopics(
  topics: readonly string[],
  { linkifiers, noteFirstUses }: Noting,
): void {
  if (!noteFirstUses || linkifiers.length === 0) return
  // A match begins within one line, so all texts can be checked as one.
  const uses = firstUsesOfRules(topics.join('\n'), linkifiers)
  if (uses.length > 0) noteFirstUses(uses)
}

/** Returns what rendering a text needs and this isolate has not made yet. */
export function firstUsesOf(source: string, linkifiers: readonly Linkifier[]): FirstUse[] {
  return [...firstUsesOfLanguages(source), ...firstUsesOfRules(source, linkifiers)]
}

/** If one rule is needed, all are compiled, since a page or a channel list has more texts. */
function firstUsesOfRules(source: string, linkifiers: readonly Linkifier[]): FirstUse[] {
  return firstUsesOfLinkifiers(linkifiers, source).length === 0 ? [] : firstUsesOfLinkifiers(linkifiers)
}
