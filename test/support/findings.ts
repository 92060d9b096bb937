import { expectSuccess, type TestRealm } from './factories.ts'

/** What a verification has found (docs/interface/administration.md#verify). */
export interface Finding {
  readonly check: string
  /** The thing concerned: `message 12`, `topic 7`. */
  readonly what: string
  readonly problem: string
  readonly repaired: boolean
}

/** Verifies an organization, and returns all findings. */
export async function findingsIn(realm: TestRealm, repair = false): Promise<Finding[]> {
  const findings: Finding[] = []
  let after: string | undefined
  do {
    const answer = expectSuccess(await realm.owner.api.post('/realm/verify', { after, repair }))
    findings.push(...answer.findings)
    after = answer.next ?? undefined
  } while (after !== undefined)
  return findings
}
