import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import { sendNotice } from '../../model/messages/send/send-notice.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../../store/realm/realm-properties.ts'

/** Sends an administrator the welcome message for new users. Source: docs/interface/organization.md#welcome-message. */
export const testWelcomeMessageEndpoint = defineEndpoint({
  operation: 'test-welcome-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  access: 'administrator',
  params: { welcome_message_custom_text: trimmedTextUpTo(MAX_WELCOME_TEXT_LENGTH) },
  returns: v.object({ message_id: v.number() }),
  command: {
    apply(tx, { user, source }, { welcome_message_custom_text }) {
      const message_id = sendNotice(tx, {
        to: { user },
        content: welcome_message_custom_text,
        from: 'welcome-bot',
        origin: source.origin,
      })
      return { message_id }
    },
  },
  audit: 'own',
})
