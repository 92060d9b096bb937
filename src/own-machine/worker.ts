import { ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { type Environment, objectNamed } from '../http/request/environment.ts'
import { respondError } from '../http/request/respond.ts'
import { listRealms } from '../store/d1/realms.ts'
import deployed from '../worker.ts'
import { forwardedRequest } from './forwarded-request.ts'
import type { ServedRealmObject } from './realm-object.ts'

export { HasherObject } from '../hasher/hasher-object.ts'
export { ServedRealmObject as RealmObject } from './realm-object.ts'

/** The path that ends the server in order, and the header with the key that each start makes anew: nobody outside has it. */
const END_PATH = '/own-machine/end'
const END_KEY_HEADER = 'x-own-machine-key'
/** Milliseconds that requests under way have to end, and seconds after which a refused client tries again. */
const PATIENCE_MS = 8_000
const RESTART_SECONDS = 3
/** Organizations that are told of the end. */
const REALMS_AT_END = 1_000

interface ServedEnvironment extends Environment {
  readonly REALM: DurableObjectNamespace<ServedRealmObject>
  readonly END_KEY: string
  readonly TRUSTED_PROXIES: string
}

let underWay = 0
let isEnding = false

/** The entry of `npm run serve`: the deployed server behind a proxy on one's own machine. */
export default {
  async fetch(request, env) {
    if (request.headers.get(END_KEY_HEADER) === env.END_KEY && new URL(request.url).pathname === END_PATH) {
      return end(env)
    }
    if (isEnding) return respondError(new ServiceUnavailableError(RESTART_SECONDS))
    underWay += 1
    try {
      return await deployed.fetch(forwardedRequest(request, env.TRUSTED_PROXIES), env)
    } finally {
      underWay -= 1
    }
  },
  scheduled: (event, env) => deployed.scheduled(event, env),
} satisfies ExportedHandler<ServedEnvironment>

/** Refuses new requests, has polls answered and texts written, and waits for what is under way. */
async function end(env: ServedEnvironment): Promise<Response> {
  isEnding = true
  const until = Date.now() + PATIENCE_MS
  const realms = await listRealms(env.DB, REALMS_AT_END)
  const resting = Promise.allSettled(
    realms.map(({ id, ...where }) => objectNamed(env.REALM, `realm-${id}`, where).rest()),
  )
  await Promise.race([resting, scheduler.wait(PATIENCE_MS)])
  while (underWay > 0 && Date.now() < until) await scheduler.wait(20)
  log('info', 'The server ends', { requests_under_way: underWay })
  return Response.json({ underWay })
}
