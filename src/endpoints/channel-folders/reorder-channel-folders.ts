import * as v from 'valibot'
import { reorderChannelFolders } from '../../domain/channel-folders/reorder-channel-folders.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIds } from '../parameter-types.ts'

/** Puts the folders into a new order. Source: docs/interface/channels.md#channel-folders. */
export const reorderChannelFoldersEndpoint = defineEndpoint({
  operation: 'reorder-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  access: 'administrator',
  params: { order: jsonIds },
  returns: v.object({}),
  command: reorderChannelFolders,
  audit: 'shown',
})
