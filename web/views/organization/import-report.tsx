import { useState } from 'preact/hooks'
import { type Count, type Import, type ImportProblem, loadImportProblems } from '../../actions/imports.ts'
import { s } from '../../texts/settings.ts'
import { locale } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'

interface CountsProps {
  readonly title: string
  readonly hint?: string
  readonly counts: readonly Count[]
  readonly isFolded?: boolean
}

/** A table of numbers; nothing where there are none. */
export function Counts({ title, hint, counts, isFolded = false }: CountsProps) {
  if (counts.length === 0) return null
  const number = new Intl.NumberFormat(locale())
  const table = (
    <table class="import-counts">
      {!isFolded && <caption>{title}</caption>}
      <tbody>
        {counts.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">{wordFor(s.imports.names, name) ?? name}</th>
            <td>{number.format(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (isFolded) {
    return (
      <details class="settings-details">
        <summary>{title}</summary>
        {table}
      </details>
    )
  }
  return (
    <>
      {table}
      {hint && <p class="setting-hint">{hint}</p>}
    </>
  )
}

/** Custom emoji of reactions that neither the archive nor the organization has. */
export function MissingEmoji({ of: { report } }: { readonly of: Import }) {
  // Between colons none of them is the name of a count.
  const counts = report.missing_emoji.map(({ name, count }) => ({ name: `:${name}:`, count }))
  return <Counts title={s.imports.missingEmoji} hint={s.imports.missingEmojiHint} counts={counts} />
}

/** The problems of an import: how many of each kind, and on demand where they are. */
export function Problems({ of: { id, report } }: { readonly of: Import }) {
  const [listed, setListed] = useState<readonly ImportProblem[]>()
  if (report.problems.length === 0) return null
  return (
    <>
      <Counts title={s.imports.problems} hint={s.imports.problemsHint} counts={report.problems} />
      {listed === undefined ? (
        <ActButton onAct={() => refusalOf(loadImportProblems(id).then((list) => setListed(() => list)))}>
          {s.imports.showProblems}
        </ActButton>
      ) : (
        <ul class="import-problems">
          {listed.map(({ kind, detail, file, line }, at) => (
            <li key={at}>
              {file !== null && <code>{s.imports.place({ file, line })}</code>} {kind}
              {detail !== '' && `: ${detail}`}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
