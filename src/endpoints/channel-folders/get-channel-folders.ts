import * as v from 'valibot'
import { getChannelFolders } from '../../domain/channel-folders/get-channel-folders.ts'
import { channelFolder } from '../../events/channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'

/** Lists the folders in their order. Source: docs/interface/channels.md#channel-folders. */
export const getChannelFoldersEndpoint = defineEndpoint({
  operation: 'get-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  access: 'user',
  params: { include_archived: v.optional(jsonBoolean, 'false') },
  returns: v.object({ channel_folders: v.array(channelFolder) }),
  command: getChannelFolders,
})
