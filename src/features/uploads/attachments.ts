import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, pathInteger } from '../../api/parameter-types.ts'
import { attachment } from '../../api/shared-answers.ts'
import { ENTRIES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import { defineReader } from '../../core/reader.ts'
import type { Sql } from '../../core/sql.ts'
import { attachmentFor, type PresentedAttachment } from '../../events/attachment.ts'
import { requireFileNotHeld } from '../../model/holds/held.ts'
import {
  discardAttachment,
  LINKS_SHOWN,
  presentAttachments,
  uploadSpaceUsed,
} from '../../model/uploads/attachments.ts'
import {
  type Attachment,
  findAttachment,
  type Link,
  listAttachmentsOf,
  newestLinks,
} from '../../store/uploads/attachment-rows.ts'

/** Lists the caller's own uploads. Source: docs/interface/uploads.md#ones-files. */
export const getAttachmentsEndpoint = defineEndpoint({
  operation: 'get-attachments',
  route: 'GET /attachments',
  access: 'user',
  largeAnswer: true,
  returns: v.object({
    attachments: v.array(attachment),
    upload_space_used: described(v.number(), 'Bytes, of the whole organization.'),
  }),
  query(tx, { user, actor, source }) {
    const files = tx.use(filesOf, { userId: user.id, isFullMember: actor.isFullMember, now: tx.now })
    return {
      attachments: files.map((attachment) => attachmentFor(source, attachment)),
      upload_space_used: uploadSpaceUsed(tx.sql),
    }
  },
})

interface Owner {
  readonly userId: number
  /** The only fact that depends on the time. */
  readonly isFullMember: boolean
  readonly now: number
}

/** Rows that take as long to read as presenting a file, and a message that links to it. */
const WORK = { file: 4, link: 6 }

/** A user's files, with the messages that link to them. It may lag, since every new message invalidates it. */
const filesOf = defineReader({
  name: 'files of an account',
  allowStale: true,
  key: ({ userId, isFullMember }: Owner) => `${userId} ${isFullMember}`,
  *read({ sql }, { userId, now }) {
    const presented: PresentedAttachment[] = []
    for (let above = 0; ; above = presented.at(-1)!.id) {
      const { files, links, isLast } = nextFiles(sql, userId, above)
      presented.push(...presentAttachments({ sql, now }, files, links))
      if (isLast) return presented
      yield WORK.file * files.length + WORK.link * links.length
    }
  },
})

interface Files {
  readonly files: readonly Attachment[]
  readonly links: readonly Link[]
  readonly isLast: boolean
}

/** Returns a user's next files. */
function nextFiles(sql: Sql, ownerId: number, above: number): Files {
  const files = listAttachmentsOf(sql, ownerId, above, ENTRIES_AT_ONCE)
  const ids = files.map(({ id }) => id)
  const links = newestLinks(sql, ids, { each: LINKS_SHOWN.most, all: PAGE_OF_ROWS })
  const isCut = links.length === PAGE_OF_ROWS
  if (!isCut) return { files, links, isLast: files.length < ENTRIES_AT_ONCE }
  // The last file's links may be incomplete.
  const end = links.at(-1)!.attachmentId
  return { files: files.filter(({ id }) => id < end), links, isLast: false }
}

/** Deletes one of the caller's uploads at once; messages keep the dead link. Source: docs/interface/uploads.md#ones-files. */
export const removeAttachmentEndpoint = defineEndpoint({
  operation: 'remove-attachment',
  route: 'DELETE /attachments/:attachment_id',
  access: 'user',
  params: { attachment_id: pathInteger },
  apply(tx, { user }, { attachment_id }) {
    const attachment = findAttachment(tx.sql, attachment_id)
    if (attachment?.ownerId !== user.id) throw new BadRequestError('Invalid attachment')
    requireFileNotHeld(tx.sql, attachment)
    discardAttachment(tx, attachment)
  },
  audit: ({ params }) => ({
    action: 'file_deleted',
    details: { attachment_id: params.attachment_id },
  }),
})
