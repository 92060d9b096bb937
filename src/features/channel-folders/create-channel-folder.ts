import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { createChannelFolder } from './create-channel-folder-work.ts'

/** Makes a folder for channels. Source: docs/interface/channels.md#channel-folders. */
export const createChannelFolderEndpoint = defineEndpoint({
  operation: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  access: 'administrator',
  growsObject: true,
  params: { description: textUpTo(DESCRIPTION_LENGTH), name: textUpTo(NAME_LENGTH) },
  returns: v.object({ channel_folder_id: v.number() }),
  command: createChannelFolder,
  audit: 'shown',
})
