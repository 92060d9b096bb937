import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { channelFolder } from '../../events/channel-folder.ts'
import type { Caller } from '../../model/caller.ts'
import { type PresentedFolder, presentFolder } from '../../model/channel-folders/present-channel-folder.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'

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
