import type { Sql, WritableSql } from '../../core/sql.ts'
import type { ImageFacts } from '../../images/read-image-facts.ts'
import { Rows } from '../select-rows.ts'

/** Facts about a picture from its first bytes. */
export type UploadedImage = Pick<ImageFacts, 'type' | 'width' | 'height' | 'isAnimated'>

/** An uploaded file. The tables `attachment*` are owned by this file; the bytes are in R2. */
export interface Attachment {
  readonly id: number
  /** The path after `/user_uploads/` in its address: `2/ab/0123…/plan.pdf`. */
  readonly path: string
  readonly ownerId: number
  /** The name on the uploader's device. */
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** UNIX milliseconds. */
  readonly createdAt: number
  /** Null when it is no picture, or that is not known. */
  readonly image: UploadedImage | null
}

interface AttachmentRow extends Omit<Attachment, 'image'> {
  readonly imageType: UploadedImage['type'] | null
  readonly imageWidth: number | null
  readonly imageHeight: number | null
  readonly imageAnimated: boolean
}

const ATTACHMENTS = new Rows<AttachmentRow>(
  'attachment',
  'id path owner_id name content_type size created_at image_type image_width image_height image_animated:flag',
)

/** Returns the content type of a picture by its content, whatever its sender says. */
export function imageContentType({ type }: UploadedImage): string {
  return `image/${type}`
}

export function insertAttachment(sql: WritableSql, attachment: Omit<Attachment, 'id'>): Attachment {
  const { image } = attachment
  const picture = image && {
    imageType: image.type,
    imageWidth: image.width,
    imageHeight: image.height,
    imageAnimated: image.isAnimated,
  }
  return { id: ATTACHMENTS.insertNew(sql, { ...attachment, ...picture }), ...attachment }
}

/** The columns of an upload's row, as a backup has them. */
export interface StoredAttachment {
  readonly path: string
  readonly owner_id: number
  readonly name: string
  readonly content_type: string
  readonly size: number
  readonly created_at: number
  readonly image_type: string | null
  readonly image_width: number | null
  readonly image_height: number | null
  readonly image_animated: number | null
}

/** Inserts the row of an upload that was deleted, and returns the id that it gets. */
export function insertFormerAttachment(sql: WritableSql, row: StoredAttachment): number {
  return sql.runForValue(
    `INSERT INTO attachment
       (path, owner_id, name, content_type, size, created_at, image_type, image_width, image_height, image_animated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    row.path,
    row.owner_id,
    row.name,
    row.content_type,
    row.size,
    row.created_at,
    row.image_type,
    row.image_width,
    row.image_height,
    row.image_animated,
  )!
}

export function findAttachment(sql: Sql, id: number): Attachment | undefined {
  const row = ATTACHMENTS.find(sql, `WHERE id = ?`, id)
  return row && attachmentOf(row)
}

export function findAttachmentAt(sql: Sql, path: string): Attachment | undefined {
  const row = ATTACHMENTS.find(sql, `WHERE path = ?`, path)
  return row && attachmentOf(row)
}

export function findAttachmentsAt(sql: Sql, paths: readonly string[]): Attachment[] {
  return ATTACHMENTS.list(sql, `WHERE path IN (SELECT value FROM json_each(?)) ORDER BY id`, paths).map(
    attachmentOf,
  )
}

export function findAttachments(sql: Sql, ids: readonly number[]): Attachment[] {
  return ATTACHMENTS.list(sql, `WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, ids).map(
    attachmentOf,
  )
}

/** Returns the first `limit` of a user's attachments above an id, ascending. */
export function listAttachmentsOf(sql: Sql, ownerId: number, above: number, limit: number): Attachment[] {
  return ATTACHMENTS.list(
    sql,
    `WHERE owner_id = ? AND id > ? ORDER BY id LIMIT ?`,
    ownerId,
    above,
    limit,
  ).map(attachmentOf)
}

/** Deletes an attachment with all rows that refer to it. */
export function deleteAttachmentRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM attachment_message WHERE attachment_id = ?`, id)
  sql.run(`DELETE FROM attachment_scheduled WHERE attachment_id = ?`, id)
  sql.run(`DELETE FROM unclaimed_attachment WHERE attachment_id = ?`, id)
  sql.run(`DELETE FROM attachment WHERE id = ?`, id)
}

/** Returns the newest messages, up to `limit`, below an id that link to an attachment, the newest first. */
export function newestLinkingTo(sql: Sql, attachmentId: number, below: number, limit: number): number[] {
  return sql.values(
    `SELECT message_id FROM attachment_message WHERE attachment_id = ? AND message_id < ?
       ORDER BY message_id DESC LIMIT ?`,
    attachmentId,
    below,
    limit,
  )
}

export interface Link {
  readonly attachmentId: number
  readonly messageId: number
}

export interface LinkLimits {
  /** The newest links to each attachment. */
  readonly each: number
  /** Links to all of them; those to the last may then be cut. */
  readonly all: number
  /** The newest message that counts. */
  readonly upTo?: number
}

/** Returns the newest links to each of some attachments, by attachment and message, ascending. */
export function newestLinks(
  sql: Sql,
  attachmentIds: readonly number[],
  { each, all, upTo = Number.MAX_SAFE_INTEGER }: LinkLimits,
): Link[] {
  return sql.all(
    `SELECT a.id AS attachmentId, l.message_id AS messageId FROM attachment a
       CROSS JOIN attachment_message l ON l.attachment_id = a.id AND l.message_id <= ?4 AND l.message_id >= ifnull(
         (SELECT message_id FROM attachment_message WHERE attachment_id = a.id AND message_id <= ?4
          ORDER BY message_id DESC LIMIT 1 OFFSET ?2 - 1), 0)
       WHERE a.id IN (SELECT value FROM json_each(?1)) ORDER BY a.id, l.message_id LIMIT ?3`,
    attachmentIds,
    each,
    all,
    upTo,
  )
}

export function attachmentsLinkedFrom(sql: Sql, messageIds: readonly number[]): number[] {
  return sql.values(
    `SELECT DISTINCT attachment_id FROM attachment_message
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY attachment_id`,
    messageIds,
  )
}

export function changeAttachmentOwner(sql: WritableSql, attachmentId: number, ownerId: number): void {
  sql.run(`UPDATE attachment SET owner_id = ? WHERE id = ?`, ownerId, attachmentId)
}

export function putLink(sql: WritableSql, attachmentId: number, messageId: number): void {
  sql.run(
    `INSERT OR IGNORE INTO attachment_message (attachment_id, message_id) VALUES (?, ?)`,
    attachmentId,
    messageId,
  )
}

export function deleteLink(sql: WritableSql, attachmentId: number, messageId: number): void {
  sql.run(
    `DELETE FROM attachment_message WHERE attachment_id = ? AND message_id = ?`,
    attachmentId,
    messageId,
  )
}

export function deleteLinksFrom(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(`DELETE FROM attachment_message WHERE message_id IN (SELECT value FROM json_each(?))`, messageIds)
}

/** Stores the links of a message that is still to be sent, replacing earlier ones. */
export function putScheduledLinks(
  sql: WritableSql,
  scheduledId: number,
  attachmentIds: readonly number[],
): void {
  sql.run(`DELETE FROM attachment_scheduled WHERE scheduled_id = ?`, scheduledId)
  for (const id of attachmentIds) {
    sql.run(`INSERT INTO attachment_scheduled (scheduled_id, attachment_id) VALUES (?, ?)`, scheduledId, id)
  }
}

/** Whether no message links to it, neither a sent one nor one to be sent. */
export function isUnclaimed(sql: Sql, attachmentId: number): boolean {
  return !sql.finds(
    `SELECT 1 FROM attachment_message WHERE attachment_id = ?1
     UNION ALL SELECT 1 FROM attachment_scheduled WHERE attachment_id = ?1 LIMIT 1`,
    attachmentId,
  )
}

function attachmentOf(row: AttachmentRow): Attachment {
  const {
    imageType: type,
    imageWidth: width,
    imageHeight: height,
    imageAnimated: isAnimated,
    ...others
  } = row
  if (type === null || width === null || height === null) return { ...others, image: null }
  return { ...others, image: { type, width, height, isAnimated } }
}
