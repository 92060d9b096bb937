import { type DevEnvironment } from './inside-types.ts'
import type { RealmObject } from './worker.ts'

declare global {
  namespace Cloudflare {
    interface Env extends Omit<DevEnvironment, 'REALM'> {
      REALM: DurableObjectNamespace<RealmObject>
      UPLOADS: R2Bucket
      TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
      /** 'always': the suite runs with the realm object evicted before every request. */
      EVICT?: string
      /** The databases that copies of D1 use in tests. */
      DB_COPY: D1Database
      SPARE_1_COPY: D1Database
      SPARE_2_COPY: D1Database
      SPARE_3_COPY: D1Database
      /** Databases that tests may bind as BODIES_1 to BODIES_3. */
      SPARE_1: D1Database
      SPARE_2: D1Database
      SPARE_3: D1Database
      /** The number of these that all tests bind, at most two. */
      BODY_DATABASES?: string
      /** 'shaky': D1 is slow and fails at random, and its copy is behind. */
      D1?: string
      /** 'all': hostile values in every parameter of every endpoint. */
      FUZZ?: string
      /** The seed that repeats a run of faults. */
      FAULT_SEED?: string
      /** Seconds for which faults are tried. */
      FAULT_SECONDS?: string
      /** The seed that repeats histories. */
      SEED?: string
      HISTORIES?: string
      ROWS?: string
      /** Not empty: requests and their answers are kept (recording/record.ts). */
      RECORD: string
      RECORDER: Fetcher
    }
    interface GlobalProps {
      mainModule: typeof import('./worker.ts')
    }
  }
}
