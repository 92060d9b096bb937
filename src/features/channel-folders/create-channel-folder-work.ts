import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../../model/caller.ts'
import { presentFolder } from '../../model/channel-folders/present-channel-folder.ts'
import { renderDescription } from '../../model/messages/send/render-text.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { findFolder, findFolderNamed, insertFolder } from '../../store/channel-folders/channel-folder-rows.ts'
import { requireFolderDescription, requireFolderName } from './channel-folder-text.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

export interface CreateChannelFolderParams {
  readonly description: string
  readonly name: string
}

/** Makes a folder for channels. Source: docs/interface/channels.md#channel-folders. */
export const createChannelFolder: Command<
  Caller,
  CreateChannelFolderParams,
  void,
  { channel_folder_id: number }
> = {
  apply(tx, caller, params) {
    const description = requireFolderDescription(params.description)
    const name = requireFreeFolderName(tx.sql, params.name)
    const folder = {
      name,
      description,
      renderedDescription: renderDescription(tx, caller, description, caller.source.origin),
      createdAt: tx.now,
      creatorId: caller.user.id,
    }
    const id = withinQuota(tx, caller, 'folders', () => insertFolder(tx.sql, folder))
    emitFolderEvent(tx, {
      type: 'channel_folder',
      op: 'add',
      channel_folder: presentFolder(findFolder(tx.sql, id)!),
    })
    return { channel_folder_id: id }
  },
}

/** Requires a name that no other folder has. `exceptId`: the folder to rename. */
export function requireFreeFolderName(sql: Sql, name: string, exceptId?: number): string {
  const valid = requireFolderName(name)
  const other = findFolderNamed(sql, valid)
  if (other && other.id !== exceptId) {
    throw new BadRequestError(`Channel folder '${valid}' already exists`)
  }
  return valid
}
