import type { Sql, WritableSql } from '../../core/sql.ts'
import type { WebsitePreview } from '../../markdown/render.ts'
import { Rows } from '../select-rows.ts'

/** A message with websites that are still to be looked at. The table `preview_request` is owned by this file. */
export interface PreviewRequest {
  readonly messageId: number
  /** Address of the organization, `https://chat.example.com`, whose own pages have no previews. */
  readonly origin: string
  /** UNIX seconds; while a request is being handled, when it is retried. */
  readonly dueAt: number
  /** Number of tries. */
  readonly attempts: number
}

const REQUESTS = new Rows<PreviewRequest>('preview_request', 'message_id origin due_at attempts')

/** Enters a request. It replaces an earlier one for the same message, which would look at what the message no longer says. */
export function enqueuePreviewRequest(
  sql: WritableSql,
  request: { messageId: number; senderId: number; origin: string; dueAt: number },
): void {
  sql.run(
    `INSERT INTO preview_request (message_id, sender_id, origin, due_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (message_id) DO UPDATE SET origin = ?3, due_at = ?4, attempts = 0`,
    request.messageId,
    request.senderId,
    request.origin,
    Math.floor(request.dueAt),
  )
}

export function countPreviewRequestsOf(sql: Sql, senderId: number): number {
  return sql.value(`SELECT count(*) AS count FROM preview_request WHERE sender_id = ?`, senderId)!
}

/**
 * Begins the request that has been due longest. Until it is finished it is due again at `until`, in case the
 * object dies meanwhile. Times in UNIX seconds.
 */
export function leasePreviewRequest(
  sql: WritableSql,
  now: number,
  until: number,
): PreviewRequest | undefined {
  return REQUESTS.returned(
    sql,
    `UPDATE preview_request SET due_at = ?2, attempts = attempts + 1
     WHERE message_id = (
       SELECT message_id FROM preview_request WHERE due_at <= ?1 ORDER BY due_at, message_id LIMIT 1
     ) RETURNING ${REQUESTS.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
}

/** Delays a request until `until`, unless it was repeated meanwhile. */
export function retryPreviewRequestLater(
  sql: WritableSql,
  { messageId, dueAt }: PreviewRequest,
  until: number,
): void {
  sql.run(
    `UPDATE preview_request SET due_at = ?3 WHERE message_id = ?1 AND due_at = ?2`,
    messageId,
    dueAt,
    Math.ceil(until),
  )
}

/** Ends a request, unless it was repeated meanwhile. */
export function finishPreviewRequest(sql: WritableSql, { messageId, dueAt }: PreviewRequest): void {
  sql.run(`DELETE FROM preview_request WHERE message_id = ? AND due_at = ?`, messageId, dueAt)
}

/** Drops all requests: their messages stay without previews. */
export function dropPreviewRequests(sql: WritableSql): undefined {
  sql.run(`DELETE FROM preview_request`)
}

/** Returns the time at which the next request is due (UNIX seconds); undefined without one. */
export function nextPreviewRequestAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM preview_request`)
}

interface SeenWebsiteRow {
  title: string
  description: string
  image_url: string | null
}

/**
 * Finds what is stored of a page: null when there was nothing to show, undefined when it was not looked at
 * lately. `now` in UNIX seconds. The table `seen_website` is owned by this file.
 */
export function findSeenWebsite(sql: Sql, url: string, now: number): WebsitePreview | null | undefined {
  const row = sql.first<SeenWebsiteRow>(
    `SELECT title, description, image_url FROM seen_website WHERE url = ? AND expires_at > ?`,
    url,
    Math.floor(now),
  )
  if (!row) return undefined
  const { title, description, image_url: imageUrl } = row
  return imageUrl === null ? null : { title, description, imageUrl }
}

/** Stores a page until `expiresAt` (UNIX seconds), replacing earlier content. */
export function putSeenWebsite(
  sql: WritableSql,
  url: string,
  preview: WebsitePreview | null,
  expiresAt: number,
): void {
  sql.run(
    `INSERT INTO seen_website (url, title, description, image_url, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (url) DO UPDATE SET title = ?2, description = ?3, image_url = ?4, expires_at = ?5`,
    url,
    preview?.title ?? '',
    preview?.description ?? '',
    preview?.imageUrl ?? null,
    Math.floor(expiresAt),
  )
}

export function deleteExpiredWebsites(sql: WritableSql, now: number): void {
  sql.run(`DELETE FROM seen_website WHERE expires_at <= ?`, Math.floor(now))
}

export function hasSeenWebsites(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM seen_website LIMIT 1`)
}
