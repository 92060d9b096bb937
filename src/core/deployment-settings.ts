import { log } from './log.ts'

export interface ExternalContentEnvironment {
  /** `proxy` (the default): pictures come through this server. `direct`: readers load them from the other server. */
  readonly EXTERNAL_CONTENT?: string
}

/**
 * Whether pictures come through this server. Any value but `direct` counts as `proxy`, so that a misspelt setting reveals nobody's address.
 */
export function proxiesPictures({ EXTERNAL_CONTENT }: ExternalContentEnvironment): boolean {
  return EXTERNAL_CONTENT !== 'direct'
}

/** The deployment's setting for channels that can be read without an account. */
export interface WebPublicEnvironment {
  /** 'on': organizations may have channels that can be read without an account. */
  readonly WEB_PUBLIC_STREAMS_ENABLED?: string
}

/** Values that switch the setting on, as in the interface document and in other settings. */
const SWITCHED_ON = new Set(['true', 'on', '1'])

/** Whether anything in this deployment may be read without an account. */
export function allowsWebPublic({ WEB_PUBLIC_STREAMS_ENABLED = '' }: WebPublicEnvironment): boolean {
  return SWITCHED_ON.has(WEB_PUBLIC_STREAMS_ENABLED.toLowerCase())
}

/** The platform's description of the running version (`version_metadata` in wrangler.toml). */
export interface VersionEnvironment {
  readonly CF_VERSION_METADATA?: { readonly timestamp?: string }
}

/** Returns when this version was deployed, or the local server started: UNIX seconds, integer. 0 if unknown. */
export function deployedAt({ CF_VERSION_METADATA }: VersionEnvironment): number {
  const milliseconds = Date.parse(CF_VERSION_METADATA?.timestamp ?? '')
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1_000)
}

const logged = new Set<string>()

/** Logs for operators that a setting is not understood, once per Worker. */
export function logSettingProblem(name: string, value: string, meaning: string): void {
  const problem = `The setting ${name} is not understood: ${JSON.stringify(value)}. ${meaning}`
  if (logged.has(problem)) return
  logged.add(problem)
  log('warn', 'A setting has an invalid value', { setting: name, value, meaning })
}
