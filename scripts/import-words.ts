/** Describes the state of an import and its problems for `npm run import`. */

interface Count {
  readonly name: string
  readonly count: number
}

/** The fields of an import that the command uses (docs/interface/administration.md#imports). */
export interface ShownImport {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly format: string | null
  readonly source: string | null
  readonly state: string
  readonly is_paused: boolean
  readonly failure: string | null
  readonly undo_refusal: string | null
  readonly parts_read: number | null
  readonly parts: number | null
  readonly messages_written: number | null
  readonly messages_total?: number | null
  readonly seconds_left?: number | null
  readonly earlier_import_id?: number | null
  readonly is_older?: boolean
  readonly estimate: {
    readonly seconds: number
    readonly object_rows: number
    readonly d1_rows: number
    readonly object_bytes: number
    readonly d1_bytes: number
    readonly file_bytes: number
    readonly dollars_once: number
    readonly dollars_a_month: number
  } | null
  readonly report: {
    readonly records: readonly Count[]
    readonly found: readonly Count[]
    readonly passed_over: readonly Count[]
    readonly problems: readonly Count[]
    readonly written: readonly Count[]
    readonly missing_emoji: readonly Count[]
  }
}

export interface ShownProblem {
  readonly kind: string
  readonly detail: string
  readonly file: string | null
  readonly line: number | null
}

/** Problems that are printed; the API has more of them. */
const PROBLEMS_PRINTED = 50

const number = new Intl.NumberFormat('en')

export function sizeInWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : number.format(Math.round(value))} ${units[power]}`
}

function timeInWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(Math.round(seconds), 1)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** Returns one line about what the import is doing. */
export function progressInWords(shown: ShownImport): string {
  if (shown.is_paused) return 'Paused'
  const { parts, parts_read, messages_written: written, messages_total: total, seconds_left } = shown
  const left = seconds_left ? `, about ${timeInWords(seconds_left)} left` : ''
  switch (shown.state) {
    case 'reading':
      return parts === null
        ? 'Reading the archive'
        : `Reading: ${count(parts_read ?? 0)} of ${count(parts)} parts`
    case 'writing':
      if (written === null) return `Writing people and channels${left}`
      return `Writing: ${count(written)}${total ? ` of ${count(total)}` : ''} messages${left}`
    case 'ending':
      return 'Tidying up'
    default:
      return shown.state
  }
}

/** Returns the lines about the content of an archive, before it is imported. */
export function reportInWords({
  format,
  report,
  estimate,
  earlier_import_id,
  is_older,
}: ShownImport): string[] {
  return [
    ...(format === null ? [] : [`Format: ${format}`]),
    ...listed('In the archive:', report.found.length > 0 ? report.found : report.records),
    ...missingEmojiInWords(report.missing_emoji),
    ...(report.found.some(({ name }) => name === 'people without an address') ? ['', NO_ADDRESS] : []),
    ...listed('Not imported, since there is nothing like it here:', report.passed_over),
    ...listed('Problems:', report.problems),
    ...(estimate ? ['', ...estimateInWords(estimate)] : []),
    ...(estimate && earlier_import_id ? ['  If only what is new is added, it is less.'] : []),
    ...(is_older ? ['', OLDER] : []),
  ]
}

const OLDER =
  'An archive that was made later was imported before: this one adds what is missing, and changes nothing.'

const NO_ADDRESS =
  'People without an address cannot log in: invite them first, and say in the mapping which accounts are theirs.'

function missingEmojiInWords(missing: readonly Count[]): string[] {
  const named = missing.map(({ name, count: n }) => ({ name: `:${name}:`, count: n }))
  return listed(
    'Reactions whose custom emoji is missing: upload it first, or import again afterwards:',
    named,
  )
}

function estimateInWords(estimate: NonNullable<ShownImport['estimate']>): string[] {
  const { object_rows, d1_rows, object_bytes, d1_bytes, file_bytes, dollars_once, dollars_a_month } = estimate
  return [
    `Estimate: ${timeInWords(estimate.seconds)}, $${dollars_once.toFixed(2)} once and $${dollars_a_month.toFixed(2)} a month`,
    `  ${count(object_rows)} rows written in the object (${sizeInWords(object_bytes)}), and ${count(d1_rows)} in D1 (${sizeInWords(d1_bytes)})`,
    `  ${sizeInWords(file_bytes)} of files`,
  ]
}

/** Returns the lines about the result of an import. */
export function outcomeInWords({ state, failure, report }: ShownImport): string[] {
  return [
    ...(failure === null ? [] : [`It has stopped: ${failure}`]),
    ...listed(state === 'finished' ? 'Written:' : 'Written until then:', report.written),
    ...missingEmojiInWords(report.missing_emoji),
  ]
}

export function problemsInWords(problems: readonly ShownProblem[]): string[] {
  const lines = problems.slice(0, PROBLEMS_PRINTED).map(({ kind, detail, file, line }) => {
    const place = [file, line].filter((part) => part !== null).join(':')
    return `  ${place === '' ? '' : `${place}  `}${kind}${detail === '' ? '' : `: ${detail}`}`
  })
  const more = problems.length - lines.length
  return more > 0 ? [...lines, `  … and ${count(more)} more, which the page lists`] : lines
}

function listed(title: string, counts: readonly Count[]): string[] {
  if (counts.length === 0) return []
  const width = Math.max(...counts.map(({ count: n }) => count(n).length))
  return ['', title, ...counts.map(({ name, count: n }) => `  ${count(n).padStart(width)}  ${name}`)]
}

function count(value: number): string {
  return number.format(value)
}
