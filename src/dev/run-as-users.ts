import * as v from 'valibot'
import type { RealmAnswer } from '../core/call.ts'
import { findRealm } from '../http/find-realm.ts'
import type { DevEnvironment } from './environment.ts'
import { localOrigin } from './local-origin.ts'

const body = v.object({
  calls: v.array(
    v.object({
      operation: v.string(),
      user_id: v.number(),
      params: v.record(v.string(), v.unknown()),
      /** UNIX seconds. */
      now: v.number(),
    }),
  ),
})

/**
 * POST /dev/run: operations as users, at given times, with parameters as values instead of text, which gives
 * the demo organization a past. Answers are in the order of the calls.
 */
export async function runAsUsers(request: Request, env: DevEnvironment): Promise<Response> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  const parsed = v.safeParse(body, await request.json().catch(() => undefined))
  if (!realm || !parsed.success) return Response.json({ result: 'error' }, { status: 400 })
  // The demo is made behind another port than the one at which it is served later.
  const origin = localOrigin(env, realm.host) ?? url.origin
  const object = env.REALM.get(env.REALM.idFromName(`realm-${realm.id}`))
  const answers = (await object.runAt(
    parsed.output.calls.map(({ operation, user_id, params, now }) => ({
      now,
      call: {
        operation,
        credentials: { kind: 'trusted', userId: user_id },
        parameters: { ok: true, value: params },
        source: { origin, userAgent: 'ParleyDemo/1.0', ip: '', development: true },
        counted: true,
        host: realm.host,
      },
    })),
  )) as RealmAnswer[]
  return Response.json({ result: 'success', answers: answers.map(({ outcome }) => outcome) })
}
