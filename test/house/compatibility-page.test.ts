import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operationsSection, readReport, readRules, rulesSection } from '../../scripts/compatibility-page.ts'
import { PROJECT } from '../../scripts/project.ts'
import { OPERATIONS_FILE, type PublicOperation, standingOf } from '../compatibility/public-operations.ts'
import { fromJson } from '../support/json.ts'

const operations = fromJson<PublicOperation[]>(readFileSync(OPERATIONS_FILE, 'utf8'))
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

const testOf = (status: string) => ({ ancestorTitles: ['events'], title: 'come in order', status })
const fileOf = (name: string, ...statuses: string[]) => ({
  name: `/project/test/features/events/${name}.test.ts`,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  assertionResults: statuses.map(testOf),
})
const jsonOf = (...testResults: object[]) => JSON.stringify({ testResults })
const failure = new Error('vitest ended with exit code 1')

describe('a run for docs/compatibility.md', () => {
  it('fails when it leaves no report', () => {
    expect(() => readReport(undefined, failure)).toThrow(failure)
    expect(() => readReport(undefined, undefined)).toThrow('left no report')
  })

  it('fails when no test explains its failure', () => {
    expect(() => readReport(jsonOf(fileOf('get-events', 'passed')), failure)).toThrow(failure)
  })

  it('fails when a file of rules does not load', () => {
    const report = readReport(jsonOf(fileOf('get-events', 'passed'), fileOf('delete-queue')), failure)
    expect(() => readRules(report)).toThrow('delete-queue.test.ts')
  })

  it('continues when a rule fails, and says which', () => {
    const report = readReport(jsonOf(fileOf('get-events', 'passed', 'failed')), failure)
    const rules = readRules(report)
    expect(rules.map(({ area, passed }) => [area, passed])).toEqual([
      ['events', true],
      ['events', false],
    ])
    expect(rulesSection(rules)).toContain('- ✗ **not passed:** events: come in order')
  })

  it('fails when a test was skipped', () => {
    const json = jsonOf(fileOf('get-events', 'passed', 'skipped'))
    expect(() => readReport(json, undefined)).toThrow('Not run')
  })
})

describe('docs/compatibility.md', () => {
  it('has the operations as they are declared (npm run compatibility)', () => {
    expect(read('docs/compatibility.md')).toContain(operationsSection(operations).join('\n'))
  })

  it('agrees with the list of missing features', () => {
    const [, missing] = read('docs/features.md').split(/^## Not yet$/m)
    const refused = operations.filter((operation) => standingOf(operation).kind === 'refuses')
    const words = refused.map(({ path }) => path.match(/jwt|zoom|bigbluebutton|summar/)![0])
    expect(words.filter((word) => !new RegExp(word, 'i').test(missing!.split(/^#/m)[0]!))).toEqual([])
    expect(operations.filter((operation) => standingOf(operation).kind === 'not yet')).toEqual([])
  })
})
