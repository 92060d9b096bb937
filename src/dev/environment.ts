import type { Environment } from '../http/environment.ts'
import type { LatencyEnvironment } from './far-away.ts'
import type { OriginEnvironment } from './local-origin.ts'
import type { DevRealmObject } from './realm-object.ts'

/** The binding as it is here: the object has one method more. */
export type DevEnvironment = Omit<Environment, 'REALM'> &
  LatencyEnvironment &
  OriginEnvironment & {
    readonly REALM: DurableObjectNamespace<DevRealmObject>
  }
