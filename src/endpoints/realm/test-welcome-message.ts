import * as v from 'valibot'
import { MAX_WELCOME_TEXT_LENGTH } from '../../domain/realm/realm-properties.ts'
import { testWelcomeMessage } from '../../domain/realm/test-welcome-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { trimmedTextUpTo } from '../parameter-types.ts'

/** Properties that do not arrive as JSON. The command checks the values. */
export const testWelcomeMessageEndpoint = defineEndpoint({
  operation: 'test-welcome-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  access: 'administrator',
  params: { welcome_message_custom_text: trimmedTextUpTo(MAX_WELCOME_TEXT_LENGTH) },
  returns: v.object({ message_id: v.number() }),
  command: testWelcomeMessage,
  audit: 'own',
})
