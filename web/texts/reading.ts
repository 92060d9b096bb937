import { type ReadingTexts, readingEn } from './reading-en.ts'
import { translated } from './texts.ts'

/** Texts of search results and of viewers, loaded with them. Those of `t` count here too. */
export let r: ReadingTexts = readingEn

/** Loads these texts in the page's language. Must be awaited before a view that has them is drawn. */
export async function loadReadingTexts(): Promise<void> {
  r = (await translated('reading')) ?? readingEn
}
