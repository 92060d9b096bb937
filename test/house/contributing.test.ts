import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson } from '../support/json.ts'
import { codeOf } from './code-of-page.ts'
import { HOW_TOS } from './how-tos.ts'

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

describe.each(Object.entries(HOW_TOS))('the example of a how-to: %s', (title, { byHand, most }) => {
  it('is on the page, and takes few files by hand', () => {
    expect(page).toContain(`\n## ${title}\n`)
    expect(Object.keys(byHand).length).toBeLessThanOrEqual(most)
  })

  it.each(Object.entries(byHand))('fits the files that are there: %s', (path, edit) => {
    if ('newFile' in edit) {
      const text = readFileSync(join(import.meta.dirname, 'how-tos', edit.newFile), 'utf8')
      const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, file]) =>
        join(PROJECT, dirname(path), file!),
      )
      expect(imported.filter((file) => !existsSync(file))).toEqual([])
    } else {
      const there = 'words' in edit ? edit.words : edit.above
      expect(readFileSync(join(PROJECT, path), 'utf8').split(there)).toHaveLength(2)
    }
  })
})
