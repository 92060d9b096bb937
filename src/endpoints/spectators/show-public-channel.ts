import { showPublicChannel } from '../../domain/spectators/show-public-channel.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /public/channel/…. */
export const showPublicChannelStep = defineStep({
  operation: 'show-public-channel',
  access: 'spectator',
  command: showPublicChannel,
  rateLimit: 'user',
})
