import { showPublicTopic } from '../../domain/spectators/show-public-topic.ts'
import { defineStep } from '../define-endpoint.ts'

/** GET /public/topic/…. */
export const showPublicTopicStep = defineStep({
  operation: 'show-public-topic',
  access: 'spectator',
  command: showPublicTopic,
  rateLimit: 'user',
})
