import * as v from 'valibot'
import { createChannelFolder } from '../../domain/channel-folders/create-channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

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
