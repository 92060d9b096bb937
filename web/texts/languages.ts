import type { ComposeTexts } from './compose-en.ts'
import type { Texts } from './en.ts'
import type { FrameTexts } from './frame-en.ts'
import type { ReadingTexts } from './reading-en.ts'
import type { SettingsTexts } from './settings-en.ts'

/** The catalogues that are loaded apart from each other, each with the views that need it. */
export interface Catalogues {
  readonly page: Texts
  readonly settings: SettingsTexts
  readonly reading: ReadingTexts
  readonly compose: ComposeTexts
  readonly frame: FrameTexts
}

interface Language {
  /** Its name in itself, as lists of languages show it. */
  readonly name: string
  readonly isRightToLeft?: true
  /** Absent for English, whose texts are with the views. */
  readonly load?: { readonly [Name in keyof Catalogues]: () => Promise<Catalogues[Name]> }
}

/** Every language of the page, by its code, in the order in which settings list them. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  ar: {
    name: 'العربية',
    isRightToLeft: true,
    load: {
      page: async () => (await import('./ar.ts')).ar,
      settings: async () => (await import('./settings-ar.ts')).settingsAr,
      reading: async () => (await import('./reading-ar.ts')).readingAr,
      compose: async () => (await import('./compose-ar.ts')).composeAr,
      frame: async () => (await import('./frame-ar.ts')).frameAr,
    },
  },
  de: {
    name: 'Deutsch',
    load: {
      page: async () => (await import('./de.ts')).de,
      settings: async () => (await import('./settings-de.ts')).settingsDe,
      reading: async () => (await import('./reading-de.ts')).readingDe,
      compose: async () => (await import('./compose-de.ts')).composeDe,
      frame: async () => (await import('./frame-de.ts')).frameDe,
    },
  },
  en: { name: 'English' },
  es: {
    name: 'Español',
    load: {
      page: async () => (await import('./es.ts')).es,
      settings: async () => (await import('./settings-es.ts')).settingsEs,
      reading: async () => (await import('./reading-es.ts')).readingEs,
      compose: async () => (await import('./compose-es.ts')).composeEs,
      frame: async () => (await import('./frame-es.ts')).frameEs,
    },
  },
  fr: {
    name: 'Français',
    load: {
      page: async () => (await import('./fr.ts')).fr,
      settings: async () => (await import('./settings-fr.ts')).settingsFr,
      reading: async () => (await import('./reading-fr.ts')).readingFr,
      compose: async () => (await import('./compose-fr.ts')).composeFr,
      frame: async () => (await import('./frame-fr.ts')).frameFr,
    },
  },
  ja: {
    name: '日本語',
    load: {
      page: async () => (await import('./ja.ts')).ja,
      settings: async () => (await import('./settings-ja.ts')).settingsJa,
      reading: async () => (await import('./reading-ja.ts')).readingJa,
      compose: async () => (await import('./compose-ja.ts')).composeJa,
      frame: async () => (await import('./frame-ja.ts')).frameJa,
    },
  },
}
