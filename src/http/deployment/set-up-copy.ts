import * as v from 'valibot'
import type { RealmCall } from '../../core/call.ts'
import { ApiError, BadRequestError, UnauthorizedError } from '../../core/errors.ts'
import { planCopyStep } from '../../features/backups/copies.ts'
import type { CopyPlan } from '../../model/backups/plan-copy.ts'
import { findRealmByHost, type RealmRecord, useOrganizationTicket } from '../../store/d1/realms.ts'
import { readJson } from '../input/arriving-body.ts'
import { requestSource } from '../operations/handle-request.ts'
import { callRealm } from '../request/call-realm.ts'
import type { Environment } from '../request/environment.ts'
import { makeCopy } from '../request/make-copy.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'

const HOST = v.pipe(v.string(), v.toLowerCase(), v.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/))
const copyForm = v.object({ ticket: v.string(), host: HOST, backup_id: v.number(), copy_host: HOST })

/**
 * POST /setup/copies: makes a copy of a backup of the organization at `host`, at another host. Like founding an organization, it takes a
 * one-time ticket in D1 for the new host.
 */
export async function setUpCopy(request: Request, env: Environment): Promise<Response> {
  try {
    const parsed = v.safeParse(copyForm, await readJson(request))
    if (!parsed.success)
      throw new BadRequestError(`${v.getDotPath(parsed.issues[0]) ?? 'body'}: ${parsed.issues[0].message}`)
    const { ticket, host, backup_id, copy_host } = parsed.output
    const shown = { digest: await sha256Hex(ticket), host: copy_host }
    if (!(await useOrganizationTicket(env.DB, shown, Date.now() / 1_000)))
      throw new UnauthorizedError('Invalid ticket')
    const realm = await findRealmByHost(env.DB, host)
    if (!realm) throw new BadRequestError('There is no organization at this host.')
    const { outcome } = await callRealm(env, realm, planOf(request, env, realm, backup_id), true)
    if (!outcome.ok) throw ApiError.fromWire(outcome.error)
    const copy = await makeCopy(env, realm, outcome.value as CopyPlan, copy_host)
    return await respondSuccess({ realm_id: copy.id })
  } catch (error) {
    return respondFailure('set-up-copy', error)
  }
}

function planOf(request: Request, env: Environment, { host }: RealmRecord, backupId: number): RealmCall {
  return {
    operation: planCopyStep.operation,
    credentials: { kind: 'none' },
    parameters: { ok: true, value: { backupId } },
    source: requestSource(request, new URL(request.url), env),
    host,
    counted: true,
  }
}
