import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { levelsSection } from '../../scripts/compatibility-page.ts'
import { PROJECT } from '../../scripts/project.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { refusalOf } from '../../src/features/server/not-offered.ts'
import { FEATURE_LEVEL } from '../../src/model/server/version.ts'
import { FEATURE_LEVELS } from '../compatibility/feature-levels.ts'

/** Returns the titles of the tests in a file, those of tables of cases included. */
function titlesIn(path: string): Set<string> {
  const source = readFileSync(join(PROJECT, path), 'utf8')
  const plain = source.matchAll(/\b(?:it|test)\(\s*'((?:[^'\\]|\\.)*)'/g)
  const each = source.matchAll(/\)\(\s*'((?:[^'\\]|\\.)*)'/g)
  return new Set([...plain, ...each].map(([, title]) => title!))
}

describe('the table of feature levels', () => {
  it('has a line for each level from 417 to 512, in order', () => {
    const levels = Array.from({ length: 512 - 416 }, (_, at) => 417 + at)
    expect(FEATURE_LEVELS.map(({ level }) => level)).toEqual(levels)
  })

  it('names tests that exist', () => {
    const missing = FEATURE_LEVELS.flatMap(({ level, here }) => {
      if (!('by' in here)) return []
      const isThere = existsSync(join(PROJECT, here.by)) && titlesIn(here.by).has(here.named)
      return isThere ? [] : [`${level}: ${here.by}, ${here.named}`]
    })
    expect(missing).toEqual([])
  })

  it('has nothing missing at or below the announced level', () => {
    const missing = FEATURE_LEVELS.filter(({ level, here }) => level <= FEATURE_LEVEL && 'notYet' in here)
    expect(missing).toEqual([])
  })

  it('names everything that every deployment refuses, and marks none of it as working', () => {
    const said = FEATURE_LEVELS.flatMap(({ here }) => ('refuses' in here ? [here.refuses] : []))
    const refused = ENDPOINTS.flatMap(({ path, command }) =>
      // Older than the first line.
      path === '/messages/summary' ? [] : (refusalOf(command) ?? []),
    )
    expect(said.toSorted()).toEqual(refused.toSorted())
  })

  it('is on the page about compatibility', () => {
    const page = readFileSync(join(PROJECT, 'docs/compatibility.md'), 'utf8')
    expect(page).toContain(levelsSection().join('\n'))
  })
})
