import type { ComposeTexts } from '../../texts/compiled/compose.ts'
import type { FrameTexts } from '../../texts/compiled/frame.ts'
import type { PageTexts } from '../../texts/compiled/page.ts'
import type { ReadingTexts } from '../../texts/compiled/reading.ts'
import type { SettingsTexts } from '../../texts/compiled/settings.ts'

/** The catalogues that are loaded apart from each other, each with the views that need it. */
export interface Catalogues {
  readonly page: PageTexts
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
      page: async () => (await import('../../texts/compiled/ar/page.ts')).texts,
      settings: async () => (await import('../../texts/compiled/ar/settings.ts')).texts,
      reading: async () => (await import('../../texts/compiled/ar/reading.ts')).texts,
      compose: async () => (await import('../../texts/compiled/ar/compose.ts')).texts,
      frame: async () => (await import('../../texts/compiled/ar/frame.ts')).texts,
    },
  },
  de: {
    name: 'Deutsch',
    load: {
      page: async () => (await import('../../texts/compiled/de/page.ts')).texts,
      settings: async () => (await import('../../texts/compiled/de/settings.ts')).texts,
      reading: async () => (await import('../../texts/compiled/de/reading.ts')).texts,
      compose: async () => (await import('../../texts/compiled/de/compose.ts')).texts,
      frame: async () => (await import('../../texts/compiled/de/frame.ts')).texts,
    },
  },
  en: { name: 'English' },
  es: {
    name: 'Español',
    load: {
      page: async () => (await import('../../texts/compiled/es/page.ts')).texts,
      settings: async () => (await import('../../texts/compiled/es/settings.ts')).texts,
      reading: async () => (await import('../../texts/compiled/es/reading.ts')).texts,
      compose: async () => (await import('../../texts/compiled/es/compose.ts')).texts,
      frame: async () => (await import('../../texts/compiled/es/frame.ts')).texts,
    },
  },
  fr: {
    name: 'Français',
    load: {
      page: async () => (await import('../../texts/compiled/fr/page.ts')).texts,
      settings: async () => (await import('../../texts/compiled/fr/settings.ts')).texts,
      reading: async () => (await import('../../texts/compiled/fr/reading.ts')).texts,
      compose: async () => (await import('../../texts/compiled/fr/compose.ts')).texts,
      frame: async () => (await import('../../texts/compiled/fr/frame.ts')).texts,
    },
  },
  ja: {
    name: '日本語',
    load: {
      page: async () => (await import('../../texts/compiled/ja/page.ts')).texts,
      settings: async () => (await import('../../texts/compiled/ja/settings.ts')).texts,
      reading: async () => (await import('../../texts/compiled/ja/reading.ts')).texts,
      compose: async () => (await import('../../texts/compiled/ja/compose.ts')).texts,
      frame: async () => (await import('../../texts/compiled/ja/frame.ts')).texts,
    },
  },
}
