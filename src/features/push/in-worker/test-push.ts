import {
  AdminActionRequiredError,
  type ApiError,
  FailedToConnectBouncerError,
  InternalBouncerServerError,
  InvalidRemotePushDeviceTokenError,
  ServiceUnavailableError,
} from '../../../core/errors.ts'
import { log } from '../../../core/log.ts'
import { BouncerFailure, BouncerRefusal, type PushEnvironment } from '../../../outgoing/push/ask-bouncer.ts'
import { notifyEncrypted, pushBouncerOf } from '../../../outgoing/push/push-bouncer.ts'
import type { SealedTest, SealedTestReceipt, TestPush } from '../../../outgoing/push/test-notification.ts'

/** Asks the push bouncer to deliver a test to a device. The Worker does it, so the realm does not wait. */
export async function testPush(env: PushEnvironment, test: TestPush): Promise<void> {
  try {
    await pushBouncerOf(env).test(test)
  } catch (error) {
    if (error instanceof BouncerRefusal && error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      throw new InvalidRemotePushDeviceTokenError()
    }
    log('error', 'A test notification failed', { error })
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
    log('error', 'An encrypted test notification failed', { error })
    throw refusalFor(error)
  }
}

/** Returns the refusal of a test, which says whether to wait, or whom to contact. */
function refusalFor(error: unknown): ApiError {
  if (error instanceof BouncerRefusal) return new AdminActionRequiredError()
  const status = error instanceof BouncerFailure ? error.status : undefined
  if (status === undefined) return new FailedToConnectBouncerError()
  return status >= 500 ? new InternalBouncerServerError() : new AdminActionRequiredError()
}
