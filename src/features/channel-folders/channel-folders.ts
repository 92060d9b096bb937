import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, jsonIds, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { channelFolder, type StoredChannelFolderEvent } from '../../events/stream.ts'
import type { Caller } from '../../model/caller.ts'
import {
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '../../model/channels/change/channel-values.ts'
import { presentFolder } from '../../model/channels/read/present-channel.ts'
import { renderDescription } from '../../model/messages/text/render-text.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  type ChannelFolder,
  describeFolder,
  findFolder,
  findFolderNamed,
  folderIds,
  insertFolder,
  listFolders,
  orderFolders,
  renameFolder,
  setFolderArchived,
} from '../../store/channel-folders/channel-folder-rows.ts'
import { hasChannelsInFolder } from '../../store/channels/channel-rows.ts'

/** Lists folders in their order. Source: docs/interface/channels.md#channel-folders. */
export const getChannelFoldersEndpoint = defineEndpoint({
  operation: 'get-channel-folders',
  route: 'GET /channel_folders',
  access: 'user',
  params: { include_archived: v.optional(jsonBoolean, 'false') },
  returns: v.object({ channel_folders: v.array(channelFolder) }),
  query: (tx, _caller, { include_archived }) => ({
    channel_folders: listFolders(tx.sql)
      .filter(({ isArchived }) => include_archived || !isArchived)
      .map(presentFolder),
  }),
})

/** Limits in code points (docs/interface/conventions.md#limits). */
const MAX_FOLDER_NAME_LENGTH = MAX_CHANNEL_NAME_LENGTH
const MAX_FOLDER_DESCRIPTION_LENGTH = MAX_CHANNEL_DESCRIPTION_LENGTH

/** Returns a valid folder name, without surrounding white space. Errors: docs/interface/channels.md#channel-folders. */
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

function requireFolderDescription(description: string): string {
  requireLength('description', description, MAX_FOLDER_DESCRIPTION_LENGTH)
  return description.trim()
}

function requireLength(parameter: string, value: string, limit: number): void {
  if (isLongerThan(value, limit)) {
    throw new BadRequestError(`${parameter} is too long (limit: ${limit} characters)`)
  }
}

/** Creates a folder for channels. Source: docs/interface/channels.md#channel-folders. */
export const createChannelFolderEndpoint = defineEndpoint({
  operation: 'create-channel-folder',
  route: 'POST /channel_folders/create',
  access: 'administrator',
  growsObject: true,
  params: { description: textUpTo(DESCRIPTION_LENGTH), name: textUpTo(NAME_LENGTH) },
  returns: v.object({ channel_folder_id: v.number() }),
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
  audit: 'shown',
})

/** Requires a name that no other folder has. `exceptId`: the folder to rename. */
function requireFreeFolderName(sql: Sql, name: string, exceptId?: number): string {
  const valid = requireFolderName(name)
  const other = findFolderNamed(sql, valid)
  if (other && other.id !== exceptId) {
    throw new BadRequestError(`Channel folder '${valid}' already exists`)
  }
  return valid
}

/** Changes a folder; equal values are no change. Source: docs/interface/channels.md#channel-folders. */
export const updateChannelFolderEndpoint = defineEndpoint({
  operation: 'update-channel-folder',
  route: 'PATCH /channel_folders/:channel_folder_id',
  access: 'administrator',
  params: {
    channel_folder_id: pathInteger,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    is_archived: v.optional(jsonBoolean),
    name: v.optional(textUpTo(NAME_LENGTH)),
  },
  apply(tx, caller, params) {
    const folder = findFolder(tx.sql, params.channel_folder_id)
    if (!folder) throw new BadRequestError('Invalid channel folder ID')
    withinQuota(
      tx,
      caller,
      'folders',
      () => {
        if (params.name !== undefined) rename(tx, folder, params.name)
        if (params.description !== undefined) describe(tx, caller, folder, params.description)
      },
      folder.creatorId,
    )
    if (params.is_archived !== undefined) archive(tx, folder, params.is_archived)
  },
  audit: 'shown',
})

function rename(tx: RealmTransaction, folder: ChannelFolder, wanted: string): void {
  const name = requireFreeFolderName(tx.sql, wanted, folder.id)
  if (name === folder.name) return
  renameFolder(tx.sql, folder.id, name)
  emitUpdate(tx, folder, { name })
}

function describe(tx: RealmTransaction, caller: Caller, folder: ChannelFolder, wanted: string): void {
  const description = requireFolderDescription(wanted)
  if (description === folder.description) return
  const renderedDescription = renderDescription(tx, caller, description, caller.source.origin)
  describeFolder(tx.sql, folder.id, { description, renderedDescription })
  emitUpdate(tx, folder, { description, rendered_description: renderedDescription })
}

function archive(tx: RealmTransaction, folder: ChannelFolder, isArchived: boolean): void {
  if (isArchived === folder.isArchived) return
  if (isArchived && hasChannelsInFolder(tx.sql, folder.id)) {
    throw new BadRequestError('You need to remove all the channels from this folder to archive it.')
  }
  setFolderArchived(tx.sql, folder.id, isArchived)
  emitUpdate(tx, folder, { is_archived: isArchived })
}

function emitUpdate(
  tx: RealmTransaction,
  { id }: ChannelFolder,
  data: (StoredChannelFolderEvent & { op: 'update' })['data'],
): void {
  emitFolderEvent(tx, { type: 'channel_folder', op: 'update', channel_folder_id: id, data })
}

/** Reorders all folders, including archived ones. Source: docs/interface/channels.md#channel-folders. */
export const reorderChannelFoldersEndpoint = defineEndpoint({
  operation: 'reorder-channel-folders',
  route: 'PATCH /channel_folders',
  access: 'administrator',
  params: { order: jsonIds },
  apply(tx, _caller, { order }) {
    const ids = folderIds(tx.sql)
    const asked = new Set(order)
    const isSame = order.length === ids.length && ids.every((id) => asked.has(id))
    if (!isSame) throw new BadRequestError('Invalid order mapping.')
    orderFolders(tx.sql, order)
    emitFolderEvent(tx, { type: 'channel_folder', op: 'reorder', order })
  },
  audit: 'shown',
})

/** Emits an event to everyone, since folders are shared by all (docs/interface/events.md#events-about-channels-and-groups). */
function emitFolderEvent(tx: RealmTransaction, event: StoredChannelFolderEvent): void {
  tx.emit(event, EVERYONE)
}
