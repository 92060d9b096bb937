import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { TOKEN_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, textUpTo, wordOf } from '../../api/parameter-types.ts'
import { registerPushDevice } from '../../model/push/register-push-device.ts'
import { pushAccountId } from './push-account-id.ts'

const MAX_UINT32 = 2 ** 32 - 1

/**
 * Registers a device for encrypted notifications: by `device_id`, or in the older form by `push_account_id`.
 * Source: docs/interface/notifications.md#encrypted-pushes.
 */
export const registerPushDeviceEndpoint = defineEndpoint({
  operation: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  access: 'human',
  params: {
    device_id: v.optional(
      v.pipe(
        jsonInteger,
        v.description(
          'The id from the answer of POST /register_client_device, with which the key, the token, or both are given.',
        ),
      ),
    ),
    push_key_id: v.optional(
      v.pipe(
        jsonInteger,
        v.check((id) => id >= 0 && id <= MAX_UINT32, 'Not a valid unsigned 32-bit integer'),
        v.description('The key: the device’s own number for it.'),
      ),
    ),
    push_key: v.optional(
      v.pipe(
        textUpTo(WORD_LENGTH),
        v.description('The key: 0x31 and the 32 bytes of a key for libsodium’s secretbox, in Base64.'),
      ),
    ),
    token_kind: v.optional(v.pipe(wordOf(['fcm', 'apns']), v.description('The token, in both forms.'))),
    token_id: v.optional(
      v.pipe(textUpTo(WORD_LENGTH), v.description('The token: the first 8 bytes of its SHA-256, in Base64.')),
    ),
    push_account_id: v.optional(
      v.pipe(
        pushAccountId,
        v.description('The older form: a random integer that the client has chosen for this account.'),
      ),
    ),
    push_public_key: v.optional(v.pipe(textUpTo(TOKEN_LENGTH), v.description('The older form.'))),
    bouncer_public_key: v.optional(
      v.pipe(textUpTo(TOKEN_LENGTH), v.description('The token, in both forms.')),
    ),
    encrypted_push_registration: v.optional(
      v.pipe(textUpTo(TOKEN_LENGTH), v.description('The token, in both forms.')),
    ),
  },
  returns: v.object({}),
  command: registerPushDevice,
  audit: 'own',
})
