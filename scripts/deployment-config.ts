/** The configuration of a deployment: wrangler.toml, with the names and the place that the command line gives. */

import type { BodyDatabaseSettings } from '../src/store/d1/body-databases.ts'
import type { Jurisdiction } from './cloudflare-account.ts'
import { WRANGLER_CONFIG } from './project.ts'

/** The part of wrangler.toml that is read here; the rest is passed on as it is. */
export interface Config extends Record<string, unknown> {
  name: string
  main: string
  no_bundle?: boolean
  d1_databases: { binding: string; database_name: string; database_id?: string; migrations_dir?: string }[]
  durable_objects: { bindings: { name: string; class_name: string }[] }
  r2_buckets?: { binding: string; bucket_name: string; jurisdiction?: string }[]
  vars?: Record<string, string>
  assets: { directory: string }
}

export async function readConfig(): Promise<Config> {
  const { experimental_readRawConfig } = await import('wrangler')
  const { rawConfig }: { rawConfig: object } = experimental_readRawConfig({ config: WRANGLER_CONFIG })
  return rawConfig as Config
}

/** Returns the deployment of this name, separate from every other in the account. */
export function named(config: Config, name: string): Config {
  return {
    ...config,
    name,
    d1_databases: config.d1_databases.map((each) => ({ ...each, database_name: name })),
    r2_buckets: (config.r2_buckets ?? []).map((each) => ({
      ...each,
      bucket_name: `${name}-${each.binding.toLowerCase()}`,
    })),
  }
}

/** Returns the deployment without what a temporary account refuses. */
export function forAnHour({
  r2_buckets: _buckets,
  images: _images,
  triggers: _triggers,
  ...config
}: Config): Config {
  return config
}

/** Sets the bucket's jurisdiction, and the variable by which the Worker knows it. */
export function keptIn(config: Config, jurisdiction: Jurisdiction): Config {
  if (jurisdiction === undefined) return config
  return {
    ...config,
    r2_buckets: (config.r2_buckets ?? []).map((each) => ({ ...each, jurisdiction })),
    vars: { ...config.vars, JURISDICTION: jurisdiction },
  }
}

export function settingsOf({ vars }: Config): BodyDatabaseSettings {
  const limit = process.env.D1_MAX_MIB ?? vars?.D1_MAX_MIB
  return limit === undefined ? {} : { D1_MAX_MIB: limit }
}
