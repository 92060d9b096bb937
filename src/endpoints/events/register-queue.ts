import { registerQueue } from '../../domain/events/register-queue.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { registerSpectatorEndpoint } from '../spectators/register-spectator.ts'
import { registerAnswer } from './register-answer.ts'
import { registrationParameters } from './registration-parameters.ts'

/** Types of which the snapshot has nothing, or a few bytes. */
const SMALL_STATES = new Set([
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'typing',
  'submessage',
])

/** Opens an event queue and gives the state that its events go on from. Source: docs/interface/register.md#what-is-asked-for. */
export const registerQueueEndpoint = defineEndpoint({
  operation: 'register-queue',
  method: 'POST',
  path: '/register',
  access: 'user',
  params: registrationParameters,
  returns: registerAnswer,
  command: registerQueue,
  forSpectators: registerSpectatorEndpoint,
  // A thousand clients that want events alone come back at once after a deploy, and none has much to be told.
  largeAnswer: ({ event_types, fetch_event_types }) =>
    !(fetch_event_types ?? event_types)?.every((type) => SMALL_STATES.has(type)),
  answersInBlocks: true,
  // A queue that nobody knows of ends by itself.
  idempotency: 'harmless',
  repeatable: () => true,
})
