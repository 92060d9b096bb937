import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { sendNotice } from '../../model/messages/send/send-notice.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../../store/realm/realm-properties.ts'

/** Properties that do not arrive as JSON. The command checks the values. */
export const testWelcomeMessageEndpoint = defineEndpoint({
  operation: 'test-welcome-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  access: 'administrator',
  params: { welcome_message_custom_text: trimmedTextUpTo(MAX_WELCOME_TEXT_LENGTH) },
  returns: v.object({ message_id: v.number() }),
  command: { apply: testWelcomeMessage },
  audit: 'own',
})

/**
 * Sends an administrator the welcome message of newcomers. Source:
 * docs/interface/organization.md#welcome-message.
 */
function testWelcomeMessage(
  tx: RealmTransaction,
  { user, source }: Caller,
  { welcome_message_custom_text }: { readonly welcome_message_custom_text: string },
): { message_id: number } {
  const message_id = sendNotice(tx, {
    to: { user },
    content: welcome_message_custom_text,
    from: 'welcome-bot',
    origin: source.origin,
  })
  return { message_id }
}
