import type { RealmView } from '../../core/realm-transaction.ts'
import type { MarkdownLookups } from '../../markdown/render.ts'
import type { Viewer } from '../messages/message-access.ts'
import { mayReadAttachment } from './attachment-access.ts'
import { findAttachmentAt, imageContentType } from './attachment-rows.ts'
import { DEFAULT_THUMBNAIL_FORMAT, hasThumbnails } from './thumbnail-formats.ts'

/**
 * The uploaded pictures that a text of `author` shows in a smaller form: those that the author may read, which
 * the readers of the message then may too. Of others not even the size is told.
 */
export function uploadedImageLookup(
  view: Pick<RealmView, 'sql'>,
  author: Viewer,
): NonNullable<MarkdownLookups['uploadedImage']> {
  return (path) => {
    const attachment = findAttachmentAt(view.sql, path)
    const image = attachment?.image
    if (!image || !hasThumbnails(image) || !mayReadAttachment(view, author, attachment)) return undefined
    const address = attachment.path.split('/').map(encodeURIComponent).join('/')
    return {
      contentType: imageContentType(image),
      width: image.width,
      height: image.height,
      thumbnailUrl: `/user_uploads/thumbnail/${address}/${DEFAULT_THUMBNAIL_FORMAT.name}`,
    }
  }
}
