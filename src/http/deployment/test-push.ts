import {
  AdminActionRequiredError,
  type ApiError,
  FailedToConnectBouncerError,
  InternalBouncerServerError,
  InvalidRemotePushDeviceTokenError,
  ServiceUnavailableError,
} from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { SealedTest, SealedTestReceipt, TestPush } from '../../model/push/test-notification.ts'
import {
  BouncerFailure,
  BouncerRefusal,
  type PushEnvironment,
} from '../../realm/outgoing/push/ask-bouncer.ts'
import { notifyEncrypted, pushBouncerOf } from '../../realm/outgoing/push/push-bouncer.ts'

/**
 * Asks the bouncer to deliver a test to a device, from the Worker, so that the realm does not wait for it.
 */
export async function testPush(env: PushEnvironment, test: TestPush): Promise<void> {
  try {
    await pushBouncerOf(env).test(test)
  } catch (error) {
    if (error instanceof BouncerRefusal && error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      throw new InvalidRemotePushDeviceTokenError()
    }
    log('error', 'No test notification', { error })
    throw new ServiceUnavailableError()
  }
}

/** Sends a test as `testPush` does, to devices that get encrypted notifications. */
export async function testSealedPush(
  env: PushEnvironment,
  { notifications }: SealedTest,
): Promise<SealedTestReceipt> {
  try {
    let sent = 0
    const gone: { sealed: readonly string[]; keyed: readonly string[] } = { sealed: [], keyed: [] }
    for (const notification of notifications) {
      const receipt = await notifyEncrypted(env, notification)
      sent += receipt.sent
      gone[notification.way] = receipt.gone[notification.way]
    }
    return { sent, gone }
  } catch (error) {
    log('error', 'No encrypted test notification', { error })
    throw refusalFor(error)
  }
}

/** Returns the refusal of a test, which says whether to wait, or whom to ask. */
function refusalFor(error: unknown): ApiError {
  if (error instanceof BouncerRefusal) return new AdminActionRequiredError()
  const status = error instanceof BouncerFailure ? error.status : undefined
  if (status === undefined) return new FailedToConnectBouncerError()
  return status >= 500 ? new InternalBouncerServerError() : new AdminActionRequiredError()
}
