import { env } from 'cloudflare:workers'
import type { ApiResponse } from './api.ts'
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
    const answer = expectSuccess(await part(realm, after, repair))
    findings.push(...answer.findings)
    after = answer.next ?? undefined
  } while (after !== undefined)
  return findings
}

/** While D1 lacks earlier writes, the answer is a 503, to be repeated. A D1 that fails at random is tried again after a second. */
async function part(realm: TestRealm, after: string | undefined, repair: boolean): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await realm.owner.api.post('/realm/verify', { after, repair })
    if (response.status !== 503 || env.D1 !== 'shaky' || tries === 20) return response
    await scheduler.wait(500)
  }
}
