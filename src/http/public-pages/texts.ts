import { type PublicTexts, TEXTS } from '../../../texts/compiled/public.ts'
import { writtenLanguage } from '../../core/written-languages.ts'

/** Returns the texts in the organization's language: a page is the same for all its readers, so it can be cached. */
export function publicTexts(language: string): PublicTexts {
  return TEXTS[writtenLanguage(language) ?? 'en']
}
