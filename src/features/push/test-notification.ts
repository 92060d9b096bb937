import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { TOKEN_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { testNotification } from '../../model/push/test-notification.ts'

/**
 * Delivers a test to one of the caller's devices, or to all. The answer waits until the push service has
 * accepted it, so that the caller learns of any error. Source:
 * docs/interface/notifications.md#register-a-device.
 */
export const testNotificationEndpoint = defineEndpoint({
  operation: 'test-notification',
  method: 'POST',
  path: '/mobile_push/test_notification',
  access: 'human',
  params: {
    token: v.optional(
      v.pipe(
        textUpTo(TOKEN_LENGTH),
        v.description('The token of the device to notify; all devices by default.'),
      ),
    ),
  },
  returns: v.object({}),
  command: testNotification,
  audit: 'own',
  idempotency: 'harmless',
  async finish({ tests }, _params, worker) {
    for (const test of tests) await worker.testPush(test)
    return {}
  },
})
