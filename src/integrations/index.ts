import { github } from './github.ts'
import type { Integration } from './integration.ts'
import { json } from './json.ts'

/** All integrations, in alphabetical order of their names. */
export const INTEGRATIONS: readonly Integration[] = [github, json]

const byName: ReadonlyMap<string, Integration> = new Map(INTEGRATIONS.map((one) => [one.name, one]))

export function findIntegration(name: string): Integration | undefined {
  return byName.get(name)
}
