import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson } from '../support/json.ts'
import { codeOf } from './code-of-page.ts'

const page = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8')
const { scripts } = fromJson<{
  readonly scripts: Readonly<Record<string, string>>
}>(readFileSync(join(PROJECT, 'package.json'), 'utf8'))

/** Whether a path has a name in capitals, which stands for anything. */
const isExample = (path: string) => /[A-Z]{3,}|-N\./.test(path.replace(/README|CHANGELOG|CONTRIBUTING/, ''))

describe('CONTRIBUTING.md', () => {
  it('names existing scripts', () => {
    const named = codeOf(page).flatMap((code) =>
      [...code.matchAll(/npm (?:run )?([a-z:-]+)/g)].map(([, name]) => name!),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it('names existing files and folders', () => {
    const paths = codeOf(page)
      .flatMap((code) => code.split(/[\s,]+/))
      .filter((word) =>
        /^(?:src|test|docs|scripts|web|bench|migrations)(?:\/[\w.-]+)*(?:#[\w-]+)?$/.test(word),
      )
      .filter((path) => !isExample(path))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !existsSync(join(PROJECT, path.split('#')[0]!)))).toEqual([])
  })

  it('names existing functions and types', () => {
    const words = [
      'defineEndpoint',
      'changeByJob',
      'tx.schedule',
      'tx.emit',
      'world.clockOffset',
      'runAlarms',
    ]
    const known = [
      'src/api/define-endpoint.ts',
      'src/realm/jobs/change-by-job.ts',
      'src/core/realm-transaction.ts',
      'test/support/world.ts',
      'test/support/alarms.ts',
    ]
      .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
      .join('\n')
    expect(words.filter((word) => !page.includes(word) || !known.includes(word.split('.').at(-1)!))).toEqual(
      [],
    )
  })
})
