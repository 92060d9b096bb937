const MIN_LENGTH = 3
const MAX_LENGTH = 40

/** Names that hosts of the deployment itself may have. */
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

/** Returns why an organization cannot have this short name, whoever else has it; undefined when it can. */
export function shortNameProblem(name: string): string | undefined {
  if (name.length < MIN_LENGTH) return `Subdomain needs to have length ${MIN_LENGTH} or greater.`
  if (name.startsWith('-') || name.endsWith('-')) return "Subdomain cannot start or end with a '-'."
  if (!/^[a-z0-9-]+$/.test(name) || name.length > MAX_LENGTH) {
    return "Subdomain can only have lowercase letters, numbers, and '-'s."
  }
  return RESERVED.has(name) ? 'Subdomain reserved. Please choose a different one.' : undefined
}
