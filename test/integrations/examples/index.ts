import type { Example } from '../example.ts'
import { GITHUB_EXAMPLES } from './github.ts'
import { JSON_EXAMPLES } from './json.ts'

/** The examples of each integration, by its name. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  github: GITHUB_EXAMPLES,
  json: JSON_EXAMPLES,
}
