import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { showPublicChannel } from '../../model/spectators/show-public-channel.ts'

/** GET /public/channel/…. */
export const showPublicChannelStep = defineStep({
  operation: 'show-public-channel',
  access: 'spectator',
  params: { channelId: integer, before: v.nullable(integer) },
  command: showPublicChannel,
  audit: 'read-only',
  rateLimit: 'user',
})
