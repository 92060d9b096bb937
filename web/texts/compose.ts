import { type ComposeTexts, composeEn } from './compose-en.ts'

/** Texts of what helps to write, loaded with it. Those of `t` count here too. */
export let c: ComposeTexts = composeEn

/** Loads these texts in the page's language. Must be awaited before a view that has them is drawn. */
export async function loadComposeTexts(): Promise<void> {
  if (document.documentElement.lang === 'de') c = (await import('./compose-de.ts')).composeDe
}
