import { showPublicTopic } from '../../domain/spectators/show-public-topic.ts'
import { defineStep } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** GET /public/topic/…. */
export const showPublicTopicStep = defineStep({
  operation: 'show-public-topic',
  access: 'spectator',
  params: { messageId: integer },
  command: showPublicTopic,
  audit: 'read-only',
  rateLimit: 'user',
})
