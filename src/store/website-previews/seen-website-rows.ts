import type { Sql, WritableSql } from '../../core/sql.ts'
import type { WebsitePreview } from '../../markdown/render.ts'

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
  return sql.first(`SELECT 1 FROM seen_website LIMIT 1`) !== undefined
}
