import type { Endpoint } from '../../api/define-endpoint.ts'
import { createDefaultStreamGroupEndpoint } from './create-default-stream-group.ts'
import { deleteDefaultStreamGroupEndpoint } from './delete-default-stream-group.ts'
import { updateDefaultStreamGroupEndpoint } from './update-default-stream-group.ts'
import { updateDefaultStreamGroupChannelsEndpoint } from './update-default-stream-group-channels.ts'

export const DEFAULT_CHANNEL_GROUP_ENDPOINTS: readonly Endpoint[] = [
  createDefaultStreamGroupEndpoint,
  deleteDefaultStreamGroupEndpoint,
  updateDefaultStreamGroupEndpoint,
  updateDefaultStreamGroupChannelsEndpoint,
]
