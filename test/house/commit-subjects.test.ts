import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkSubjects, commitsToCheck, faultOfSubject } from '../../scripts/commit-subjects.ts'

describe('a commit subject', () => {
  it.each([
    'Show drafts of a channel',
    'Address a review',
    'Focus the search field',
    'Embed fonts',
    'Pass the limit on',
    'É'.repeat(72),
  ])('is accepted: %s', (subject) => {
    expect(faultOfSubject(subject)).toBeUndefined()
  })

  it.each([
    ['x'.repeat(73), /73 characters/],
    ['É'.repeat(73), /73 characters/],
    ['Show drafts.', /full stop/],
    ['show drafts', /capital/],
    ['Added drafts', /imperative/],
    ['Adding drafts', /imperative/],
    ['Adds drafts', /imperative/],
    ['', /capital/],
  ])('is refused: %s', (subject, fault) => {
    expect(faultOfSubject(subject)).toMatch(fault)
  })
})

describe('commits to check', () => {
  let folder: string
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      stdio: 'pipe',
    })
  const commit = (subject: string) => git(join(folder, 'one'), 'commit', '--allow-empty', '-m', subject)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'subjects-'))
    mkdirSync(join(folder, 'one'))
    git(join(folder, 'one'), 'init', '-b', 'main')
    for (const subject of ['One', 'two', 'Three']) commit(subject)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('are those that main lacks', () => {
    git(join(folder, 'one'), 'switch', '-c', 'topic')
    commit('Four')
    commit('fives')
    const checked = commitsToCheck(join(folder, 'one'))
    expect(checked?.ahead).toBe(true)
    expect(checked?.commits.map(({ subject }) => subject)).toEqual(['fives', 'Four'])
    expect(() => checkSubjects(checked)).toThrow('fives')
  })

  it('are the last few on main itself, which cannot be amended', () => {
    const checked = commitsToCheck(join(folder, 'one'), 2)
    expect(checked?.commits.map(({ subject }) => subject)).toEqual(['Three', 'two'])
    expect(() => checkSubjects(checked)).not.toThrow()
  })

  it('are what a shallow clone has', () => {
    git(folder, 'clone', '--depth', '1', `file://${join(folder, 'one')}`, 'two')
    expect(commitsToCheck(join(folder, 'two'))?.commits.map(({ subject }) => subject)).toEqual(['Three'])
  })

  it('are unknown outside a repository', () => {
    mkdirSync(join(folder, 'three'))
    expect(commitsToCheck(join(folder, 'three'))).toBeUndefined()
    expect(() => checkSubjects(undefined)).not.toThrow()
  })
})
