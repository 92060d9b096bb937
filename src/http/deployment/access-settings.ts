import { logSettingProblem } from '../../core/setting-problems.ts'

export interface AccessEnvironment {
  /** The team's domain at Cloudflare Access, `acme.cloudflareaccess.com`. */
  readonly ACCESS_TEAM_DOMAIN?: string
  /** The AUD tags of the Access applications in front of the log-in, separated by spaces. */
  readonly ACCESS_AUD?: string
}

export interface AccessSettings {
  /** Who signs, as tokens name it: the team's address. */
  readonly issuer: string
  readonly audience: string[]
}

/** Returns the settings of Cloudflare Access; undefined where it is not in front of the server, or they are wrong. */
export function accessSettings(env: AccessEnvironment): AccessSettings | undefined {
  const { ACCESS_TEAM_DOMAIN: domain = '', ACCESS_AUD: tags = '' } = env
  if (domain === '' && tags === '') return undefined
  const address = /^https?:/.test(domain) ? domain : `https://${domain}`
  const audience = tags.split(/\s+/).filter((tag) => tag !== '')
  if (domain === '' || !URL.canParse(address)) {
    logSettingProblem('ACCESS_TEAM_DOMAIN', domain, 'Nobody is let in by Cloudflare Access.')
    return undefined
  }
  if (audience.length === 0) {
    logSettingProblem('ACCESS_AUD', tags, 'Nobody is let in by Cloudflare Access.')
    return undefined
  }
  return { issuer: new URL(address).origin, audience }
}
