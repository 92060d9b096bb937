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
 * The lookup of uploaded pictures that a text shows in a smaller form. It reveals nothing of others, not even their
 * size.
 */
export type UploadedImageLookup = NonNullable<MarkdownLookups['uploadedImage']>

/**
 * Returns the lookup for a text of `author`. It finds pictures that the author may read, which the message makes
 * readable to its readers.
 */
export function uploadedImageLookup(view: Pick<RealmView, 'sql'>, author: Viewer): UploadedImageLookup {
  return imagesAmong(view, (attachment) => mayReadAttachment(view, author, attachment))
}

/**
 * Returns the lookup for a message that is rendered again. It finds pictures to which the message has linked since it
 * was written, and not others that its author may read by now.
 */
export function linkedImageLookup(view: Pick<RealmView, 'sql'>, messageId: number): UploadedImageLookup {
  const linked = new Set(attachmentsLinkedFrom(view.sql, [messageId]))
  return imagesAmong(view, ({ id }) => linked.has(id))
}

/** Returns the lookup for an imported message, which links to these uploads whoever may read them now. */
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
