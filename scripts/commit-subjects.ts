/** The subjects of commits, which `npm run check` looks at. */
import { execFileSync } from 'node:child_process'
import { PROJECT } from './project.ts'

const MAX_SUBJECT = 72

/** Verbs whose base form looks like a past tense, a gerund or a third person. */
const BASE_FORMS = new Set(
  'bring embed exceed feed focus need proceed seed shed speed spring string succeed wed'.split(' '),
)

export interface Commit {
  readonly id: string
  readonly subject: string
}

export interface Checked {
  /** The commits of this branch that are not on main, and can still be amended. */
  readonly ahead: boolean
  readonly commits: readonly Commit[]
}

/** Returns what is wrong with a subject, or undefined. */
export function faultOfSubject(subject: string): string | undefined {
  const length = [...subject].length
  if (length > MAX_SUBJECT) return `${length} characters, at most ${MAX_SUBJECT}`
  if (subject.endsWith('.')) return 'ends with a full stop'
  const [first = ''] = subject.split(' ')
  if (!/^\p{Lu}/u.test(first)) return 'does not begin with a capital letter'
  const word = first.toLowerCase()
  const isOther = /(?:ed|ing|[^s]s)$/.test(word) && !BASE_FORMS.has(word)
  return isOther ? `“${first}” is not an imperative` : undefined
}

/**
 * Returns the commits that are not on main, or the last few if there are none. Returns undefined without git or without
 * a repository, as in an archive of the source.
 */
export function commitsToCheck(folder = PROJECT, last = 5): Checked | undefined {
  // Patterns are used, since the name of a missing branch would be an error. A shallow clone gives the commits it has.
  const ahead = readCommits(folder, ['HEAD', '--not', '--branches=mai[n]', '--remotes=*/mai[n]'])
  if (ahead === undefined) return undefined
  if (ahead.length > 0 && hasMain(folder)) return { ahead: true, commits: ahead }
  return { ahead: false, commits: readCommits(folder, [`--max-count=${last}`, 'HEAD']) ?? [] }
}

function hasMain(folder: string): boolean {
  return (readCommits(folder, ['--max-count=1', '--branches=mai[n]', '--remotes=*/mai[n]']) ?? []).length > 0
}

function readCommits(folder: string, which: readonly string[]): Commit[] | undefined {
  const args = ['log', '--no-merges', '--format=%h %s', ...which]
  try {
    const text = execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ id: line.split(' ')[0]!, subject: line.slice(line.indexOf(' ') + 1) }))
  } catch {
    return undefined
  }
}

/**
 * Prints each subject that breaks the rules of CONTRIBUTING.
 * @throws {Error} if one of them can still be amended.
 */
export function checkSubjects(checked = commitsToCheck()): void {
  if (checked === undefined) return
  const faults = checked.commits.flatMap(({ id, subject }) => {
    const fault = faultOfSubject(subject)
    return fault === undefined ? [] : [`  ${id} ${subject}\n    ${fault}`]
  })
  if (faults.length === 0) return
  const text = `Commit subjects to reword (CONTRIBUTING.md, "A commit"):\n${faults.join('\n')}`
  if (checked.ahead) throw new Error(text)
  console.log(text)
}
