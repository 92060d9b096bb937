import { FILE_LINKS } from '../../core/budgets.ts'
import type { ReadCommand } from '../../core/command.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { attachmentFor, type PresentedAttachment } from '../../events/attachment.ts'
import type { Caller } from '../caller.ts'
import {
  type Attachment,
  attachmentIdsOf,
  type Link,
  listAttachmentsOf,
  newestLinks,
} from './attachment-rows.ts'
import { ListedLinks } from './listed-links.ts'
import { presentAttachments } from './present-attachment.ts'
import { uploadSpaceUsed } from './upload-space.ts'

export interface OwnAttachments {
  readonly attachments: readonly ReturnType<typeof attachmentFor>[]
  /** Bytes, of the whole organization. */
  readonly upload_space_used: number
}

/** Lists the caller's own uploads, in several turns if they are many. Source: docs/interface/uploads.md#ones-files. */
export const getAttachments: ReadCommand<Caller, object, LoadedFiles, OwnAttachments> = {
  reads: true,
  async load({ walks }, view, { user }) {
    const attachments: PresentedAttachment[] = []
    const listed = new ListedLinks(view, user.id)
    for (let above = 0; ; await walks.turn()) {
      const { files, links, isLast } = nextFiles(view, user.id, above)
      attachments.push(...presentAttachments(view, files, links, (messages) => listed.note(view, messages)))
      if (isLast) break
      above = files.at(-1)!.id
    }
    while (!listed.follow(view)) await walks.turn()
    return { attachments, listed }
  },

  apply(view, { user, source }, _params, { attachments, listed }) {
    const { sql } = view
    // Some may have been deleted meanwhile.
    const present = new Set(attachmentIdsOf(sql, user.id))
    return {
      attachments: listed
        .present(view, attachments)
        .filter(({ id }) => present.has(id))
        .map((attachment) => attachmentFor(source, attachment)),
      upload_space_used: uploadSpaceUsed(sql),
    }
  },
}

interface LoadedFiles {
  readonly attachments: readonly PresentedAttachment[]
  readonly listed: ListedLinks
}

interface Files {
  readonly files: readonly Attachment[]
  readonly links: readonly Link[]
  readonly isLast: boolean
}

/** Returns as many of somebody's next files as one turn presents. */
function nextFiles({ sql }: Pick<RealmView, 'sql'>, ownerId: number, above: number): Files {
  const files = listAttachmentsOf(sql, ownerId, above, FILE_LINKS.files)
  const ids = files.map(({ id }) => id)
  const links = newestLinks(sql, ids, { each: FILE_LINKS.presented, all: FILE_LINKS.ofOneTurn })
  const isCut = links.length === FILE_LINKS.ofOneTurn
  if (!isCut) return { files, links, isLast: files.length < FILE_LINKS.files }
  // The links of the last file may be cut.
  const end = links.at(-1)!.attachmentId
  return { files: files.filter(({ id }) => id < end), links, isLast: false }
}
