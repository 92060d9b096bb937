import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyOfProject } from '../support/copy-of-project.ts'
import { HOW_TOS, type HowTo } from './how-tos.ts'

const MINUTES = 60_000

let copy: string
beforeEach(() => {
  copy = copyOfProject()
}, 5 * MINUTES)
afterEach(() => rmSync(copy, { recursive: true, force: true }))

function write({ byHand }: HowTo): void {
  for (const [path, edit] of Object.entries(byHand)) {
    const file = join(copy, path)
    if ('newFile' in edit) {
      expect(existsSync(file), path).toBe(false)
      mkdirSync(dirname(file), { recursive: true })
      copyFileSync(join(import.meta.dirname, 'how-tos', edit.newFile), file)
      continue
    }
    const [there, then] =
      'words' in edit ? [edit.words, edit.become] : [edit.above, `${edit.lines}\n${edit.above}`]
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(there, () => then),
    )
  }
}

/** The tests that `npm test` runs of the house, but for the one that says whether the steps still have to be made. */
function houseTests(): string[] {
  const exclude = ['**/*.{long,large}.test.ts', 'test/house/contributing.test.ts']
  return globSync('test/house/*.test.ts', { cwd: copy, exclude })
}

function run(command: string, env: Readonly<Record<string, string>> = {}): void {
  const { LONG: _long, VITEST: _vitest, WHOLE_SUITE: _whole, ...own } = process.env
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: copy,
    env: { ...own, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
}

describe('a how-to of CONTRIBUTING.md', () => {
  it.each(Object.entries(HOW_TOS))(
    'is enough for all checks, in few files by hand: %s',
    { timeout: 30 * MINUTES },
    (_title, howTo) => {
      write(howTo)
      for (const command of howTo.commands) run(command)
      const changed = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: copy, encoding: 'utf8' })
      expect(changed).toContain('docs/interface/operations.md')
      run('npm run check')
      run(`npx vitest run --project node ${houseTests().join(' ')}`)
      run(`npx vitest run ${howTo.tests.join(' ')} -t '${howTo.named}'`, { LONG: 'yes' })
    },
  )
})
