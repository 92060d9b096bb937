/** Where a deployment keeps files: in a bucket, or in D1 where the account has no R2. */
import { MIB_IN_D1 } from '../src/core/files.ts'
import {
  type Binding,
  type CloudflareAccount,
  type ListedDatabase,
  RefusedByCloudflareError,
} from './cloudflare-account.ts'
import type { Config } from './deployment-config.ts'
import type { PlannedStep } from './deployment-plan.ts'

/** What the deployed Worker has bound; undefined before the first deployment. */
export type SeenBindings = ReadonlyMap<string, Binding> | undefined

const BUCKET = 'UPLOADS'

interface FilePlan {
  readonly config: Config
  readonly before: readonly PlannedStep[]
  readonly after: readonly PlannedStep[]
  readonly notes: readonly string[]
}

/** @throws {Error} where R2 is off, and the deployed Worker has files there */
export async function planFiles(
  config: Config,
  bindings: SeenBindings,
  { account, databases }: { account: CloudflareAccount; databases: readonly ListedDatabase[] },
): Promise<FilePlan> {
  const wantsBucket = config.r2_buckets?.some(({ binding }) => binding === BUCKET) === true
  if (!wantsBucket || !(await account.hasR2())) {
    if (bindings?.has(BUCKET)) {
      throw new Error(
        `The Worker ${config.name} has files in R2, which this deployment would not reach, so nothing was changed. Switch R2 on again.`,
      )
    }
    return inD1(config, wantsBucket)
  }
  const name = config.d1_databases[0]!.database_name
  const database = databases.find((each) => each.name === name)
  const wasInD1 = bindings !== undefined && !bindings.has(BUCKET)
  if (!wasInD1 && !(database && (await hasFiles(account, database)))) {
    return { config, before: [], after: [], notes: [] }
  }
  return {
    config: { ...config, vars: { ...config.vars, FILES_IN_D1: 'yes' } },
    before: [],
    after: [
      [
        'move the files that are in D1 to the bucket at night, up to 1,800 each night; all can be read meanwhile',
      ],
    ],
    notes: [],
  }
}

function inD1(config: Config, wantsBucket: boolean): FilePlan {
  const { r2_buckets: _, ...rest } = config
  return {
    config: rest,
    before: [
      [
        `keep files in D1, ${wantsBucket ? 'since the account has no R2' : 'without a bucket'}: up to ${MIB_IN_D1.file} MiB each, ${MIB_IN_D1.organization} MiB an organization`,
      ],
    ],
    after: [],
    notes: !wantsBucket
      ? []
      : [
          'R2 is off in this account, so files are in D1. To have a bucket, switch R2 on in the dashboard (R2 Object Storage; it asks for a means of payment, and 10 GB are free),',
          'and run `npm run deploy` again: files move there. Without a bucket there are no backups, unless BACKUP_S3_URL is set (docs/backups.md).',
        ],
  }
}

/** Whether D1 still has files, of a time without a bucket. */
async function hasFiles(account: CloudflareAccount, database: ListedDatabase): Promise<boolean> {
  try {
    const { results } = await account.query(database, 'SELECT key AS name FROM stored_file LIMIT 1')
    return results.length > 0
  } catch (error) {
    // Its migrations are of an earlier version, or its first deployment failed before them.
    if (error instanceof RefusedByCloudflareError && error.message.includes('no such table: stored_file'))
      return false
    throw error
  }
}
