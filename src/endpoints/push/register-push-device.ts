import * as v from 'valibot'
import { registerPushDevice } from '../../domain/push/register-push-device.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { TOKEN_LENGTH } from '../input-limits.ts'
import { textUpTo, wordOf } from '../parameter-types.ts'
import { pushAccountId } from './push-account-id.ts'

/** Registers a device for encrypted notifications. Source: docs/interface/notifications.md#encrypted-pushes. */
export const registerPushDeviceEndpoint = defineEndpoint({
  operation: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  access: 'human',
  params: {
    token_kind: wordOf(['fcm', 'apns']),
    push_account_id: v.pipe(
      pushAccountId,
      v.description('A random integer that the client has chosen for this account.'),
    ),
    push_public_key: textUpTo(TOKEN_LENGTH),
    bouncer_public_key: textUpTo(TOKEN_LENGTH),
    encrypted_push_registration: textUpTo(TOKEN_LENGTH),
  },
  returns: v.object({}),
  command: registerPushDevice,
  audit: 'own',
})
