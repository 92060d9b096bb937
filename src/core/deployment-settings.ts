import { log } from './log.ts'

/** The environment's setting for pictures of other servers. */
export interface ExternalContentEnvironment {
  /**
   * `proxy` (the default): pictures come through this server. `direct`: readers load them from where they
   * are.
   */
  readonly EXTERNAL_CONTENT?: string
}

/**
 * Whether pictures come through this server. Any value but `direct` counts as `proxy`, so that a misspelt
 * setting gives nobody's address away.
 */
export function proxiesPictures({ EXTERNAL_CONTENT }: ExternalContentEnvironment): boolean {
  return EXTERNAL_CONTENT !== 'direct'
}

/** The setting of the deployment for channels that are read without an account. */
export interface WebPublicEnvironment {
  /** 'on': organizations may have channels that are read without an account. */
  readonly WEB_PUBLIC_STREAMS_ENABLED?: string
}

/** Values that switch a setting on, as the interface document and other settings write them. */
const SWITCHED_ON = new Set(['true', 'on', '1'])

/** Whether anything of this deployment may be read without an account. */
export function allowsWebPublic({ WEB_PUBLIC_STREAMS_ENABLED = '' }: WebPublicEnvironment): boolean {
  return SWITCHED_ON.has(WEB_PUBLIC_STREAMS_ENABLED.toLowerCase())
}

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

const logged = new Set<string>()

/** Logs for operators that a setting is not understood, once in the life of a Worker. */
export function logSettingProblem(name: string, value: string, meaning: string): void {
  const problem = `The setting ${name} is not understood: ${JSON.stringify(value)}. ${meaning}`
  if (logged.has(problem)) return
  logged.add(problem)
  log('warn', 'A setting is not understood', { setting: name, value, meaning })
}
