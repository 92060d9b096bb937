import * as v from 'valibot'
import { createChannelFolder } from '../../domain/channel-folders/create-channel-folder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { text } from '../parameter-types.ts'

/** Makes a folder for channels. Source: core-endpoints 10. */
export const createChannelFolderEndpoint = defineEndpoint({
  operation: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  access: 'administrator',
  params: { description: text, name: text },
  returns: v.object({ channel_folder_id: v.number() }),
  command: createChannelFolder,
})
