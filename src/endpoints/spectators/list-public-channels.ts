import { listPublicChannels } from '../../domain/spectators/list-public-channels.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /public. */
export const listPublicChannelsStep = defineStep({
  operation: 'list-public-channels',
  access: 'spectator',
  command: listPublicChannels,
  rateLimit: 'user',
})
