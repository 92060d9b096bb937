import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { isShortNameTaken } from '../../store/d1/realms.ts'

const TAKEN = 'Subdomain is already in use. Please choose a different one.'

/**
 * Says whether a new organization could have this short name: `msg` is `available`, or why not. It succeeds either way. Source:
 * docs/interface/organization.md#close.
 */
export const checkSubdomainEndpoint = defineEndpoint({
  operation: 'check-subdomain',
  route: 'GET /realm/subdomain/:subdomain',
  access: 'anyone',
  params: { subdomain: textUpTo(NAME_LENGTH) },
  returns: v.object({ msg: v.string() }),
  apply: () => ({}),
  async finish(_raw, { subdomain }, worker) {
    const problem = shortNameProblem(subdomain)
    if (problem !== undefined) return { msg: problem }
    return { msg: (await isShortNameTaken(worker.env.DB, subdomain)) ? TAKEN : 'available' }
  },
})

const MIN_LENGTH = 3
const MAX_LENGTH = 40

/** Names that the deployment's own hosts may have. */
const RESERVED: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'cdn',
  'help',
  'login',
  'mail',
  'parley',
  'setup',
  'static',
  'status',
  'support',
  'www',
])

/** Returns why a short name is not allowed; undefined if it is. */
function shortNameProblem(name: string): string | undefined {
  if (name.length < MIN_LENGTH) return `Subdomain needs to have length ${MIN_LENGTH} or greater.`
  if (name.startsWith('-') || name.endsWith('-')) return "Subdomain cannot start or end with a '-'."
  if (!/^[a-z0-9-]+$/.test(name) || name.length > MAX_LENGTH) {
    return "Subdomain can only have lowercase letters, numbers, and '-'s."
  }
  return RESERVED.has(name) ? 'Subdomain reserved. Please choose a different one.' : undefined
}
