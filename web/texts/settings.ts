import { type SettingsTexts, settingsEn } from './settings-en.ts'

/** Words of the settings, which come with them: the first view does without. Those of `t` hold here too. */
export let s: SettingsTexts = settingsEn

/** Loads the texts of settings in the language that the page is in. To be awaited before a view of settings is drawn. */
export async function loadSettingsTexts(): Promise<void> {
  if (document.documentElement.lang === 'de') s = (await import('./settings-de.ts')).settingsDe
}
