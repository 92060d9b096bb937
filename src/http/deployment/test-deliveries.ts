import * as v from 'valibot'
import {
  AdminActionRequiredError,
  type ApiError,
  BadRequestError,
  FailedToConnectBouncerError,
  InternalBouncerServerError,
  InvalidRemotePushDeviceTokenError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { SealedTest, SealedTestReceipt, TestPush } from '../../model/push/test-notification.ts'
import { describeEmailWay, emailOutletOf, NO_MAIL_SERVICE } from '../../realm/outgoing/mail/email-sender.ts'
import { testEmail } from '../../realm/outgoing/mail/test-email.ts'
import {
  BouncerFailure,
  BouncerRefusal,
  type PushEnvironment,
} from '../../realm/outgoing/push/ask-bouncer.ts'
import { notifyEncrypted, pushBouncerOf } from '../../realm/outgoing/push/push-bouncer.ts'
import { findRealmByHost, isOrganizationTicket } from '../../store/d1/realms.ts'
import type { Environment } from '../environment.ts'
import { readJson } from '../input/arriving-body.ts'
import { respondFailure, respondSuccess } from '../respond.ts'
import { sha256Hex } from '../sha256.ts'

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

const testMail = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  to: v.pipe(v.string(), v.maxLength(254), v.regex(/^[^\s@<>]+@[^\s@<>]+$/)),
})

/**
 * POST /setup/test-mail: tries at once how mail is sent, and describes any problem, for the person who administers
 * the deployment's account: it takes a ticket that was entered in D1 for this host before, as founding an
 * organization does.
 */
export async function sendTestMail(request: Request, env: Environment): Promise<Response> {
  try {
    const parsed = v.safeParse(testMail, await readJson(request))
    if (!parsed.success) throw new BadRequestError(`${v.getDotPath(parsed.issues[0]) ?? 'body'} is not valid`)
    const { ticket, host, to } = parsed.output
    const now = Math.floor(Date.now() / 1_000)
    if (!(await isOrganizationTicket(env.DB, { digest: await sha256Hex(ticket), host }, now))) {
      throw new UnauthorizedError('Invalid ticket')
    }
    if (!(await findRealmByHost(env.DB, host))) throw new NonexistentSubdomainError()
    return await respondSuccess({ way: await tryToSend(env, host, to) })
  } catch (error) {
    return respondFailure('test-mail', error)
  }
}

/**
 * Sends a test mail and returns the way by which it went.
 *
 * @throws BadRequestError that says what is wrong
 */
async function tryToSend(env: Environment, host: string, to: string): Promise<string> {
  try {
    const way = describeEmailWay(env)
    if (way === undefined) throw new Error(NO_MAIL_SERVICE)
    await emailOutletOf(env, host).send(testEmail(host, to, Date.now() / 1_000))
    return way
  } catch (error) {
    throw new BadRequestError(error instanceof Error ? error.message : 'Unknown error')
  }
}
