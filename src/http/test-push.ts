import { InvalidRemotePushDeviceTokenError, ServiceUnavailableError } from '../core/errors.ts'
import type { TestPush } from '../domain/push/test-notification.ts'
import { BouncerRefusal, type PushEnvironment } from '../realm/ask-bouncer.ts'
import { pushBouncerOf } from '../realm/push-bouncer.ts'

/** Has the bouncer bring a test to a device: from the Worker, so that the realm does not wait for it. */
export async function testPush(env: PushEnvironment, test: TestPush): Promise<void> {
  try {
    await pushBouncerOf(env).test(test)
  } catch (error) {
    if (error instanceof BouncerRefusal && error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      throw new InvalidRemotePushDeviceTokenError()
    }
    console.error('No test notification', error)
    throw new ServiceUnavailableError()
  }
}
