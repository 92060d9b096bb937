import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { listPublicChannels } from '../../model/spectators/public-pages.ts'

/** GET /public. */
export const listPublicChannelsStep = defineStep({
  operation: 'list-public-channels',
  access: 'spectator',
  params: { after: integer },
  command: listPublicChannels,
  audit: 'read-only',
  rateLimit: 'user',
})
