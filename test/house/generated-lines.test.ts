import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

it('no line of a page is longer than two thousand characters', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: PROJECT, encoding: 'utf8' })
    .trim()
    .split('\n')
  const long = pages.flatMap((page) =>
    readFileSync(join(PROJECT, page), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > 2_000 ? [`${page}:${at + 1}: ${line.length}`] : [])),
  )
  expect(long).toEqual([])
})
