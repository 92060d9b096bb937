import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredChannelFolderEvent } from '../../events/channel-folder.ts'
import type { Caller } from '../../model/caller.ts'
import { renderDescription } from '../../model/messages/send/render-text.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  type ChannelFolder,
  describeFolder,
  findFolder,
  renameFolder,
  setFolderArchived,
} from '../../store/channel-folders/channel-folder-rows.ts'
import { hasChannelsInFolder } from '../../store/channels/channel-rows.ts'
import { requireFolderDescription, requireFreeFolderName } from './create-channel-folder.ts'
import { emitFolderEvent } from './emit-channel-folder.ts'

/** Changes a folder; equal values are no change. Source: docs/interface/channels.md#channel-folders. */
export const updateChannelFolderEndpoint = defineEndpoint({
  operation: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/:channel_folder_id',
  access: 'administrator',
  params: {
    channel_folder_id: pathInteger,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    is_archived: v.optional(jsonBoolean),
    name: v.optional(textUpTo(NAME_LENGTH)),
  },
  returns: v.object({}),
  command: { apply: updateChannelFolder },
  audit: 'shown',
})

interface UpdateChannelFolderParams {
  readonly channel_folder_id: number
  readonly description?: string
  readonly is_archived?: boolean
  readonly name?: string
}

function updateChannelFolder(
  tx: RealmTransaction,
  caller: Caller,
  params: UpdateChannelFolderParams,
): object {
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
  return {}
}

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
