import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { findFolder } from '../../../store/channel-folders/channel-folder-rows.ts'

/**
 * Returns the folder for a channel; null for none. @throws BadRequestError for an unknown or archived one.
 */
export function requireFolder(sql: Sql, folderId: number | null | undefined): number | null {
  if (folderId === undefined || folderId === null) return null
  const folder = findFolder(sql, folderId)
  if (!folder || folder.isArchived) throw new BadRequestError('Invalid channel folder ID')
  return folder.id
}
