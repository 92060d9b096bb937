import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { Caller } from '../../model/caller.ts'
import { presentFolder } from '../../model/channel-folders/present-channel-folder.ts'
import {
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '../../model/channels/change/channel-text.ts'
import { renderDescription } from '../../model/messages/send/render-text.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { findFolder, findFolderNamed, insertFolder } from '../../store/channel-folders/channel-folder-rows.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

/** Limits in code points (docs/interface/conventions.md#limits). */
const MAX_FOLDER_NAME_LENGTH = MAX_CHANNEL_NAME_LENGTH
const MAX_FOLDER_DESCRIPTION_LENGTH = MAX_CHANNEL_DESCRIPTION_LENGTH

/**
 * Returns a valid name for a folder, without white space at its ends. Errors:
 * docs/interface/channels.md#channel-folders.
 */
function requireFolderName(name: string): string {
  requireLength('name', name, MAX_FOLDER_NAME_LENGTH)
  const trimmed = name.trim()
  if (trimmed === '') throw new BadRequestError("Channel folder name can't be empty.")
  const position = firstUnfitInName(trimmed)
  if (position !== undefined) {
    throw new BadRequestError(`Invalid character in channel folder name, at position ${position}.`)
  }
  return trimmed
}

export function requireFolderDescription(description: string): string {
  requireLength('description', description, MAX_FOLDER_DESCRIPTION_LENGTH)
  return description.trim()
}

function requireLength(parameter: string, value: string, limit: number): void {
  if (isLongerThan(value, limit)) {
    throw new BadRequestError(`${parameter} is too long (limit: ${limit} characters)`)
  }
}

/** Makes a folder for channels. Source: docs/interface/channels.md#channel-folders. */
export const createChannelFolderEndpoint = defineEndpoint({
  operation: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  access: 'administrator',
  growsObject: true,
  params: { description: textUpTo(DESCRIPTION_LENGTH), name: textUpTo(NAME_LENGTH) },
  returns: v.object({ channel_folder_id: v.number() }),
  command: { apply: createChannelFolder },
  audit: 'shown',
})

interface CreateChannelFolderParams {
  readonly description: string
  readonly name: string
}

/** Makes a folder for channels. Source: docs/interface/channels.md#channel-folders. */
function createChannelFolder(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateChannelFolderParams,
): { channel_folder_id: number } {
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
