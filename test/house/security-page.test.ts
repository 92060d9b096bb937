import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { OPERATIONS } from '../../src/features/index.ts'
import { AUDIT_ACTIONS } from '../../src/store/audit-log/audit-entry-rows.ts'
import { ACTS, WITH_PASSWORD } from '../features/second-factors/acts-that-need-a-proof.ts'

const page = readFileSync(join(PROJECT, 'docs/security.md'), 'utf8')

/** Returns the rows of the first table under a heading, without its header. */
function rowsUnder(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
}

const NEED_A_PROOF = [...OPERATIONS.values()].filter(
  ({ needsProof, needsProofFor }) => needsProof || needsProofFor,
)

const namedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

describe('docs/security.md', () => {
  it('names an existing test for each promise', () => {
    const promises = rowsUnder('Promises')
    expect(promises.length).toBeGreaterThan(20)
    for (const promise of promises) {
      const tests = namedIn(promise.split(' | ').at(-1)!)
      expect([promise, tests.length > 0]).toEqual([promise, true])
      expect(
        tests.filter((test) => !/^test\/.+\.test\.ts$/.test(test) || !existsSync(join(PROJECT, test))),
      ).toEqual([])
    }
  })

  it('describes every action of the audit log, and no other', () => {
    const described = rowsUnder('The audit log').flatMap((row) => namedIn(row.split(' | ')[0]!))
    expect(described.sort()).toEqual([...AUDIT_ACTIONS].sort())
  })

  it('lists every operation that needs a proof, and no other', () => {
    const listed = rowsUnder('Acts that need a proof').flatMap((row) => namedIn(row.split(' | ')[0]!))
    expect(listed.sort()).toEqual(NEED_A_PROOF.map(({ operation }) => operation).sort())
  })

  it('is right about each of them: there is a request that is refused without one', () => {
    const steps = NEED_A_PROOF.filter((operation) => !('path' in operation))
    expect(steps.map(({ operation }) => operation)).toEqual(['begin-connecting', 'connect-login-identity'])
    const tried = [...new Set([...ACTS, ...WITH_PASSWORD].map(({ operation }) => operation))]
    const endpoints = NEED_A_PROOF.filter((operation) => !steps.includes(operation))
    expect(tried.sort()).toEqual(endpoints.map(({ operation }) => operation).sort())
  })

  it('links to existing pages', () => {
    const links = [...page.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, path]) => path!)
    expect(links.filter((path) => !existsSync(join(PROJECT, 'docs', path)))).toEqual([])
  })
})
