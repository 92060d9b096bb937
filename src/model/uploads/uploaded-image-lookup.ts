import type { RealmView } from '../../core/realm-transaction.ts'
import type { MarkdownLookups } from '../../markdown/render.ts'
import {
  type Attachment,
  attachmentsLinkedFrom,
  findAttachmentAt,
  imageContentType,
} from '../../store/uploads/attachment-rows.ts'
import type { Viewer } from '../messages/read/message-access.ts'
import { mayReadAttachment } from './attachment-access.ts'
import { DEFAULT_THUMBNAIL_FORMAT, hasThumbnails } from './thumbnail-formats.ts'

/**
 * The lookup of uploaded pictures that a text shows in a smaller form. Of others not even the size is known.
 */
export type UploadedImageLookup = NonNullable<MarkdownLookups['uploadedImage']>

/**
 * Returns the lookup for a text of `author`: of pictures that the author may read, which the readers of the
 * message then may too.
 */
export function uploadedImageLookup(view: Pick<RealmView, 'sql'>, author: Viewer): UploadedImageLookup {
  return imagesAmong(view, (attachment) => mayReadAttachment(view, author, attachment))
}

/**
 * Returns the lookup for a message that is rendered again: of pictures to which it has linked since it was
 * written. Others that its author may read by now are not readable to its readers for that.
 */
export function linkedImageLookup(view: Pick<RealmView, 'sql'>, messageId: number): UploadedImageLookup {
  const linked = new Set(attachmentsLinkedFrom(view.sql, [messageId]))
  return imagesAmong(view, ({ id }) => linked.has(id))
}

/** Returns the lookup for a message that links to these uploads whoever may read them now: one of an import. */
export function namedImageLookup(
  view: Pick<RealmView, 'sql'>,
  paths: readonly string[],
): UploadedImageLookup {
  return imagesAmong(view, ({ path }) => paths.includes(path))
}

function imagesAmong(
  { sql }: Pick<RealmView, 'sql'>,
  isShown: (attachment: Attachment) => boolean,
): UploadedImageLookup {
  return (path) => {
    const attachment = findAttachmentAt(sql, path)
    const image = attachment?.image
    if (!image || !hasThumbnails(image) || !isShown(attachment)) return undefined
    const address = attachment.path.split('/').map(encodeURIComponent).join('/')
    return {
      contentType: imageContentType(image),
      width: image.width,
      height: image.height,
      thumbnailUrl: `/user_uploads/thumbnail/${address}/${DEFAULT_THUMBNAIL_FORMAT.name}`,
    }
  }
}
