import type { RealmObject } from '../realm/realm-object.ts'

/** What wrangler.toml binds, and the settings that the environment may give. */
export interface Environment {
  readonly REALM: DurableObjectNamespace<RealmObject>
  readonly DB: D1Database
  /** 'off' switches the limits of authenticated requests off, for load tests. */
  readonly RATE_LIMITS?: string
  /** How long a poll is held before the heartbeat, in seconds: at least this, at most 10 more. */
  readonly POLL_HOLD_SECONDS?: string
  /** Set by the local-development entry itself, never from outside. */
  readonly DEVELOPMENT?: true
}

/** The object of a realm: always a fresh stub, since one that has seen an error fails for ever. */
export function realmObject(env: Environment, realmId: number): DurableObjectStub<RealmObject> {
  return env.REALM.get(env.REALM.idFromName(`realm-${realmId}`))
}
