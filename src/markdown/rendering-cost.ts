/** Characters of descriptions, or of a profile, that are rendered in one commit: some 1 µs each (markdown/rendering-cost.ts). */
export const RENDERED_IN_ONE_COMMIT = 20_000
/** Cost of a character of a text with formulas, in characters of other text. */
const OF_FORMULAS = 5
/** The signs of a formula: dollars around it, or this word behind a fence. */
const FORMULAS = /\$\$|math/

/** Returns as many characters of ordinary text as cost what rendering these texts costs. */
export function renderingCost(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * (FORMULAS.test(text) ? OF_FORMULAS : 1), 0)
}
