import type { ComposeTexts } from '../../texts/compiled/compose.ts'
import { texts as english } from '../../texts/compiled/en/compose.ts'
import { translated } from './texts.ts'

/** Texts of what helps to write, loaded with it. Those of `t` count here too. */
export let c: ComposeTexts = english

/** Loads these texts in the page's language. Must be awaited before a view that has them is drawn. */
export async function loadComposeTexts(): Promise<void> {
  c = (await translated('compose')) ?? english
}
