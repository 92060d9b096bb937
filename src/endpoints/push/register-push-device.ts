import * as v from 'valibot'
import { registerPushDevice } from '../../domain/push/register-push-device.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NOT_JSON, text } from '../parameter-types.ts'

const LARGEST = 2n ** 63n - 1n

/** An integer of up to 64 bits, kept as its digits: a JavaScript number would lose some. */
const longInteger = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const digits = dataset.value.trim()
    if (/^-?(0|[1-9]\d{0,18})$/.test(digits) && BigInt(digits) <= LARGEST && BigInt(digits) >= -LARGEST)
      return
    addIssue({ message: isJson(digits) ? 'is not an integer' : NOT_JSON })
  }),
  v.transform((digits) => String(BigInt(digits.trim()))),
)

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** Registers a device for encrypted notifications. Source: SPEC 4.17. */
export const registerPushDeviceEndpoint = defineEndpoint({
  operation: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  access: 'human',
  params: {
    token_kind: v.picklist(['fcm', 'apns']),
    push_account_id: v.pipe(
      longInteger,
      v.description('A random integer of the client’s, for this account.'),
    ),
    push_public_key: text,
    bouncer_public_key: text,
    encrypted_push_registration: text,
  },
  returns: v.object({}),
  command: registerPushDevice,
})
