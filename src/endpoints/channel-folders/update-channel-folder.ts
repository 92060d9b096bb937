import * as v from 'valibot'
import { updateChannelFolder } from '../../domain/channel-folders/update-channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, pathInteger, textUpTo } from '../parameter-types.ts'

/** Changes a folder. Source: docs/interface/channels.md#channel-folders. */
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
  command: updateChannelFolder,
  audit: 'shown',
})
