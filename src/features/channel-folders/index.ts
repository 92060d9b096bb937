import type { Endpoint } from '../../api/define-endpoint.ts'
import { createChannelFolderEndpoint } from './create-channel-folder.ts'
import { getChannelFoldersEndpoint } from './get-channel-folders.ts'
import { reorderChannelFoldersEndpoint } from './reorder-channel-folders.ts'
import { updateChannelFolderEndpoint } from './update-channel-folder.ts'

export const CHANNEL_FOLDER_ENDPOINTS: readonly Endpoint[] = [
  createChannelFolderEndpoint,
  getChannelFoldersEndpoint,
  reorderChannelFoldersEndpoint,
  updateChannelFolderEndpoint,
]
