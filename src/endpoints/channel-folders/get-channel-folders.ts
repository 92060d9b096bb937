import * as v from 'valibot'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { listFolders } from '../../domain/channel-folders/channel-folder-rows.ts'
import { type PresentedFolder, presentFolder } from '../../domain/channel-folders/present-channel-folder.ts'
import { channelFolder } from '../../events/channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'

/** Lists folders in their order. Source: docs/interface/channels.md#channel-folders. */
export const getChannelFoldersEndpoint = defineEndpoint({
  operation: 'get-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  access: 'user',
  params: { include_archived: v.optional(jsonBoolean, 'false') },
  returns: v.object({ channel_folders: v.array(channelFolder) }),
  command: { reads: true, apply: getChannelFolders },
})

function getChannelFolders(
  tx: RealmReads,
  _caller: Caller,
  { include_archived }: { readonly include_archived: boolean },
): { channel_folders: PresentedFolder[] } {
  return {
    channel_folders: listFolders(tx.sql)
      .filter(({ isArchived }) => include_archived || !isArchived)
      .map(presentFolder),
  }
}
