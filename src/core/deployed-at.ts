/** The platform's description of the version that runs (`version_metadata` in wrangler.toml). */
export interface VersionEnvironment {
  readonly CF_VERSION_METADATA?: { readonly timestamp?: string }
}

/**
 * Returns the time at which this version was deployed, or the local server was started: UNIX seconds,
 * integer. 0 when it is not known.
 */
export function deployedAt({ CF_VERSION_METADATA }: VersionEnvironment): number {
  const milliseconds = Date.parse(CF_VERSION_METADATA?.timestamp ?? '')
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1_000)
}
