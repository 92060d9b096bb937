import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { showPublicTopic } from '../../model/spectators/public-pages.ts'

/** GET /public/topic/…. */
export const showPublicTopicStep = defineStep({
  operation: 'show-public-topic',
  access: 'spectator',
  params: { messageId: integer },
  command: showPublicTopic,
  audit: 'read-only',
  rateLimit: 'user',
})
