import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, TOKEN_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import { NoActivePushDeviceError } from '../../core/errors.ts'
import { forgetPushDevices, testSealedNotification } from '../../model/push/test-notification.ts'
import { pushAccountId } from './push-account-id.ts'

const ids = listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(TOKEN_LENGTH))

/** Removes devices that a test has shown to be useless. */
export const forgetPushDevicesStep = defineStep({
  operation: 'forget-push-devices',
  access: 'human',
  params: { sealed: ids, keyed: ids },
  command: forgetPushDevices,
  audit: 'own',
})

/**
 * Delivers an encrypted test to one of the caller's devices, or to all. The answer waits until the push
 * service has accepted it, so that the caller learns of any error. Source:
 * docs/interface/notifications.md#register-a-device.
 */
export const testSealedNotificationEndpoint = defineEndpoint({
  operation: 'test-sealed-notification',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  access: 'human',
  params: {
    device_id: v.optional(
      v.pipe(jsonInteger, v.description('The device to notify; all devices by default.')),
    ),
    push_account_id: v.optional(
      v.pipe(pushAccountId, v.description('The device to notify, if it was registered in the older form.')),
    ),
  },
  returns: v.object({}),
  command: testSealedNotification,
  audit: 'own',
  idempotency: 'harmless',
  async finish(test, _params, worker) {
    const { sent, gone } = await worker.testSealedPush(test)
    if (gone.sealed.length + gone.keyed.length > 0) {
      await worker.run(forgetPushDevicesStep.operation, { ...gone })
    }
    if (sent === 0) throw new NoActivePushDeviceError()
    return {}
  },
})
