import * as v from 'valibot'
import { showPublicChannel } from '../../domain/spectators/show-public-channel.ts'
import { defineStep } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** GET /public/channel/…. */
export const showPublicChannelStep = defineStep({
  operation: 'show-public-channel',
  access: 'spectator',
  params: { channelId: integer, before: v.nullable(integer) },
  command: showPublicChannel,
  audit: 'read-only',
  rateLimit: 'user',
})
