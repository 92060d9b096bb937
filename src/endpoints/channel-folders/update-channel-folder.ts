import * as v from 'valibot'
import { updateChannelFolder } from '../../domain/channel-folders/update-channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, pathInteger, text } from '../parameter-types.ts'

/** Changes a folder. Source: core-endpoints 10. */
export const updateChannelFolderEndpoint = defineEndpoint({
  operation: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/:channel_folder_id',
  access: 'administrator',
  params: {
    channel_folder_id: pathInteger,
    description: v.optional(text),
    is_archived: v.optional(jsonBoolean),
    name: v.optional(text),
  },
  returns: v.object({}),
  command: updateChannelFolder,
})
