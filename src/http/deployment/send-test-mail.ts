import * as v from 'valibot'
import { BadRequestError, NonexistentSubdomainError } from '../../core/errors.ts'
import { testEmail } from '../../outgoing/emails/email-handover.ts'
import { describeEmailWay, emailOutletOf, NO_MAIL_SERVICE } from '../../outgoing/emails/email-sender.ts'
import { findRealmByHost } from '../../store/d1/realms.ts'
import type { Environment } from '../request/environment.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { readWithTicket } from './verify-organization.ts'

const testMail = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  to: v.pipe(v.string(), v.maxLength(254), v.regex(/^[^\s@<>]+@[^\s@<>]+$/)),
})

/**
 * POST /setup/test-mail: tries at once how mail is sent, and describes any problem. It takes a ticket entered in D1 for this host, so
 * only the administrator of the deployment's account can use it, as for founding an organization.
 */
export async function sendTestMail(request: Request, env: Environment): Promise<Response> {
  try {
    const { host, to } = await readWithTicket(testMail, request, env)
    if (!(await findRealmByHost(env.DB, host))) throw new NonexistentSubdomainError()
    return await respondSuccess({ way: await tryToSend(env, host, to) })
  } catch (error) {
    return respondFailure('test-mail', error)
  }
}

/** Sends a test mail and returns the transport that took it. @throws BadRequestError with a description of the problem */
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
