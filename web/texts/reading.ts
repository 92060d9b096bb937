import { texts as english } from '../../texts/compiled/en/reading.ts'
import type { ReadingTexts } from '../../texts/compiled/reading.ts'
import { translated } from './texts.ts'

/** Texts of search results and of viewers, loaded with them. Those of `t` count here too. */
export let r: ReadingTexts = english

/** Loads these texts in the page's language. Must be awaited before a view that has them is drawn. */
export async function loadReadingTexts(): Promise<void> {
  r = (await translated('reading')) ?? english
}
