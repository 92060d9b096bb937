import type { DevEnvironment } from './environment.ts'
import { after, farAway } from './far-away.ts'
import { standIn } from './stand-in.ts'

/** Does what `farAway` does, for the realm objects too. */
export function farFromAll(env: DevEnvironment): DevEnvironment {
  const far = Number(env.LATENCY_MS ?? 0)
  return far > 0 ? { ...farAway(env), REALM: farObjects(env.REALM, far) } : env
}

function farObjects(namespace: DevEnvironment['REALM'], ms: number): DevEnvironment['REALM'] {
  return standIn<DevEnvironment['REALM']>({
    idFromName: (name) => namespace.idFromName(name),
    get: (...args) => after(namespace.get(...args), ms),
  })
}
