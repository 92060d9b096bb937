import { listPublicChannels } from '../../domain/spectators/list-public-channels.ts'
import { defineStep } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** GET /public. */
export const listPublicChannelsStep = defineStep({
  operation: 'list-public-channels',
  access: 'spectator',
  params: { after: integer },
  command: listPublicChannels,
  audit: 'read-only',
  rateLimit: 'user',
})
