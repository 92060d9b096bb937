import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Author } from '../../messages/send/compose.ts'
import { markdownLookups } from '../../messages/send/markdown-lookups.ts'
import { renderAhead } from '../../messages/send/render-ahead.ts'

/** Renders a channel's description, with the links that its author may make; '' without one. */
export function renderDescription(
  view: Pick<RealmView, 'now' | 'sql' | 'proxiesPictures' | 'mayBePutOff' | 'prepared'>,
  author: Author,
  description: string,
  origin: string,
): string {
  if (description === '') return ''
  return renderAhead(view, description, {
    ...markdownLookups(view, author, origin),
    translateEmoticons: false,
    inlineImagePreview: false,
  }).html
}
