import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { copyOfProject } from '../support/copy-of-project.ts'
import { codeOf } from './code-of-page.ts'

/** Commands that run until they are ended, or that need an organization. Other house tests try these. */
const TRIED_ELSEWHERE = ['npm start', 'npm run dev', 'npm run verify']

/** Commands that run all tests, or many: this test would run within itself, for hours. `npm test` checks what `npm run check` does. */
const RUNS_OF_TESTS = [
  'npm run check',
  'npm test',
  'npm run test:all',
  'npm run test:large',
  'npm run test:nightly',
  'npx vitest run --project workers test/http/permission-matrix.large.test.ts',
]

/** Commands of which a longer form on the page does the same work, and more. */
const SHORTER_FORMS = ['npm run meter', 'npm run compare -- COMMIT']

/** Commands that keep both processors busy for a minute or more: `COMMANDS=all` (npm run test:nightly) tries them, too. */
const HEAVY = [
  'npm run build',
  'npm run compare -- COMMIT [filter …]',
  'npm run format',
  'npm run meter -- --keep',
  'npm run pictures',
  'npm run pictures -- integrations',
  'npm run pictures -- views',
  'npm run test:quick',
  'npx vitest run --project pure test/integrations',
]

const LEFT_OUT = [
  ...TRIED_ELSEWHERE,
  ...RUNS_OF_TESTS,
  ...SHORTER_FORMS,
  ...(process.env.COMMANDS === 'all' ? [] : HEAVY),
]

const ONE_FILE = 'test/features/alert-words/alert-words.test.ts'

/** Words in the page's commands that stand for something else, or that would take too long, and their replacements. */
const EXAMPLES: Readonly<Record<string, string>> = {
  FILE: ONE_FILE,
  COMMIT: 'HEAD',
  '[filter': ONE_FILE,
  '…]': '',
  'test/house': 'test/house/test-titles.test.ts',
  views: 'views inbox',
}

const PAGES = [
  'docs/interface/operations.md',
  'docs/permissions.md',
  'docs/settings.md',
  'docs/performance.md',
]

const MINUTES = 60_000

/** The commands of CONTRIBUTING.md, each once, as a reader would type them. */
const commands = [
  ...new Set(
    codeOf(readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8'))
      .map((code) => code.trim())
      .filter((code) => /^(?:[A-Z0-9]+=\w+ )*(?:npm|npx) /.test(code))
      .filter((code) => !LEFT_OUT.includes(code)),
  ),
]

describe('a command of CONTRIBUTING.md', () => {
  let copy: string

  // The test works in a copy, because the commands write pages and this run uses the tests' build.
  beforeAll(() => {
    copy = copyOfProject()
  }, 5 * MINUTES)
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('is found on the page', () => {
    expect(commands.length).toBeGreaterThan(5)
    const page = codeOf(readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8'))
    expect(LEFT_OUT.filter((command) => !page.some((code) => code.trim() === command))).toEqual([])
  })

  it.each(commands)('does what the page says: %s', { timeout: 5 * MINUTES }, (command) => {
    const { LONG: _long, VITEST: _vitest, WHOLE_SUITE: _whole, ...env } = process.env
    const typed = command.split(' ').map((word) => EXAMPLES[word] ?? word)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', typed.join(' ')], {
      cwd: copy,
      env,
      encoding: 'utf8',
    })
    const output = `${stdout}${stderr}`
    expect(status, output).toBe(0)
    if (command.includes('vitest')) expect(output).toMatch(/Tests.*passed/)
  })

  it('leaves the pages as they are', () => {
    const changed = PAGES.filter(
      (page) => readFileSync(join(copy, page), 'utf8') !== readFileSync(join(PROJECT, page), 'utf8'),
    )
    expect(changed).toEqual([])
  })
})
