import { texts as english } from '../../texts/compiled/en/settings.ts'
import type { SettingsTexts } from '../../texts/compiled/settings.ts'
import { translated } from './texts.ts'

/**
 * Texts of the settings, loaded with them, since the first view does not need them. Those of `t` count here
 * too.
 */
export let s: SettingsTexts = english

/** Loads the texts of settings in the page's language. Must be awaited before a view of settings is drawn. */
export async function loadSettingsTexts(): Promise<void> {
  s = (await translated('settings')) ?? english
}
