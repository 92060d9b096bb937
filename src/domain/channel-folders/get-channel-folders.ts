import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listFolders } from './channel-folder-rows.ts'
import { type PresentedFolder, presentFolder } from './present-channel-folder.ts'

/** Lists folders in their order. Source: docs/interface/channels.md#channel-folders. */
export const getChannelFolders: ReadCommand<
  Caller,
  { readonly include_archived: boolean },
  void,
  { channel_folders: PresentedFolder[] }
> = {
  reads: true,
  apply(tx, _caller, { include_archived }) {
    return {
      channel_folders: listFolders(tx.sql)
        .filter(({ isArchived }) => include_archived || !isArchived)
        .map(presentFolder),
    }
  },
}
