import { listFolders } from '../channel-folders/channel-folder-rows.ts'
import { presentFolder } from '../channel-folders/present-channel-folder.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `channel_folders`: all of them, archived ones too, in their order. */
export const channelFoldersSnapshot: Snapshot = (tx) => ({
  channel_folders: listFolders(tx.sql).map(presentFolder),
})
