import type { ParameterValue } from './api.ts'
import { expectSuccess, type TestUser } from './factories.ts'

/** Returns the digest of each part of an organization, by its name, which an owner asks for page by page. */
export async function organizationDigest({ api }: TestUser): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {}
  for (let next: Record<string, ParameterValue> | null = {}; next !== null; ) {
    const page = expectSuccess(await api.get('/realm/digest/organization', next))
    for (const { of, after, count, digest } of page.parts)
      digests[`${of} ${JSON.stringify(after)}`] = `${count} ${digest}`
    next = page.next
  }
  return digests
}

/** Returns the names of what differs between two digests. */
export function differingParts(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => one[name] !== other[name]).sort()
}
