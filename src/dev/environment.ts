import type { Environment } from '../http/environment.ts'
import type { LatencyEnvironment } from './far-away.ts'
import type { OriginEnvironment } from './local-origin.ts'
import type { DevRealmObject } from './realm-object.ts'

/** The binding in local development, where the object has further methods. */
export type DevEnvironment = Omit<Environment, 'REALM'> &
  LatencyEnvironment &
  OriginEnvironment & {
    readonly REALM: DurableObjectNamespace<DevRealmObject>
    /** The page that shows each component. */
    readonly COMPONENTS?: Fetcher
  }
