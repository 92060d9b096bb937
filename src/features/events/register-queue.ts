import { defineEndpoint } from '../../api/define-endpoint.ts'
import { registerQueue } from '../../model/events/register-queue.ts'
import { isStateLarge } from '../../model/register/initial-state.ts'
import { registerAnswer } from './register-answer.ts'
import { registerSpectatorEndpoint } from './register-spectator.ts'
import { registrationParameters } from './registration-parameters.ts'

/**
 * Opens an event queue and returns the state from which its events continue. Source:
 * docs/interface/register.md#what-is-asked-for.
 */
export const registerQueueEndpoint = defineEndpoint({
  operation: 'register-queue',
  method: 'POST',
  path: '/register',
  access: 'user',
  params: registrationParameters,
  returns: registerAnswer,
  command: registerQueue,
  audit: 'own',
  forSpectators: registerSpectatorEndpoint,
  // A thousand clients that want only events come back at once after a deploy, and their answers are small.
  largeAnswer: ({ event_types, fetch_event_types }) => isStateLarge(fetch_event_types ?? event_types),
  answersInSections: true,
  // A queue that no client knows of ends by itself.
  idempotency: 'harmless',
  repeatable: () => true,
})
