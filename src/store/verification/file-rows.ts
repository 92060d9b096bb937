import type { Sql } from '../../core/sql.ts'
import { archiveKey, exportPrefix } from '../exports/archive-key.ts'
import { listExports } from '../exports/export-rows.ts'
import { imageKey } from '../images/public-image.ts'
import { uploadKey } from '../uploads/upload-key.ts'

/** Returns keys in R2, under a prefix, that rows name: without thumbnails and other forms of one picture. */
export function namedUploads(sql: Sql, prefix: string): Set<string> {
  const [from, to] = rangeOf(prefix.slice('user_uploads/'.length))
  const paths = sql.all<{ path: string }>(
    `SELECT path FROM attachment WHERE path >= ?1 AND path < ?2
     UNION ALL SELECT directory AS path FROM resumable_upload_chunk WHERE directory >= ?1 AND directory < ?2`,
    from,
    to,
  )
  return new Set(paths.map(({ path }) => uploadKey(path)))
}

export function namedImages(sql: Sql, prefix: string): Set<string> {
  const [from, to] = rangeOf(`/user_avatars/${prefix.slice('images/'.length)}`)
  const paths = sql.all<{ path: string }>(
    `SELECT avatar_path AS path FROM user WHERE avatar_path >= ?1 AND avatar_path < ?2
     UNION ALL SELECT path FROM custom_emoji WHERE path >= ?1 AND path < ?2
     UNION ALL SELECT value ->> '$.path' AS path FROM realm_setting
       WHERE name IN ('icon', 'logo', 'night_logo') AND value ->> '$.path' >= ?1 AND value ->> '$.path' < ?2`,
    from,
    to,
  )
  return new Set(paths.map(({ path }) => imageKey(path)))
}

/** Returns the existing archives, and prefixes of those that are being made. */
export function namedArchives(sql: Sql, realmId: number): { archives: Set<string>; beingMade: string[] } {
  const exports = listExports(sql)
  const finished = exports.filter(({ finishedAt, deletedAt }) => finishedAt !== null && deletedAt === null)
  const unfinished = exports.filter(({ progress }) => progress !== null)
  return {
    archives: new Set(finished.map((exported) => archiveKey(realmId, exported))),
    beingMade: unfinished.map((exported) => exportPrefix(realmId, exported)),
  }
}

/** Returns keys that are to be removed anyway, or not yet entered. */
export function keysInRemoval(sql: Sql, prefix: string): Set<string> {
  const rows = sql.all<{ key: string }>(
    `SELECT key FROM file_removal WHERE key >= ? AND key < ?`,
    ...rangeOf(prefix),
  )
  return new Set(rows.map(({ key }) => key.replace(/\/$/, '')))
}

function rangeOf(prefix: string): [from: string, to: string] {
  return [prefix, `${prefix}\u{10ffff}`]
}
