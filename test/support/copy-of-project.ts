import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PROJECT } from '../../scripts/project.ts'

/** Makes a copy of the project in a folder of its own, as one commit, with the same packages. Returns the folder, which the caller removes. */
export function copyOfProject(): string {
  // Installs what is missing now, as every npm script does: through the link, a command of the copy would replace the project's packages.
  execFileSync(process.execPath, ['scripts/run.mjs', 'node', '-e', '0'], { cwd: PROJECT, stdio: 'ignore' })
  const copy = mkdtempSync(join(tmpdir(), 'parley-copy-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(PROJECT, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(PROJECT, file), join(copy, file))
  }
  // With a commit there is no change, so that `npm run test:quick` has no tests of a change to run: every file would be one.
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...author, 'commit', '-q', '-m', 'Begin'],
  ])
    execFileSync('git', args, { cwd: copy })
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
