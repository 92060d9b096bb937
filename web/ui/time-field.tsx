import { clock } from './time.tsx'

interface TimeFieldProps {
  readonly label: string
  /** UNIX seconds. */
  readonly value: number
  readonly onChange: (seconds: number) => void
}

/** A day and an hour, in the zone in which times are shown. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <label class="labelled">
      <span>{label}</span>
      <input
        class="field"
        type="datetime-local"
        required
        min={textOf(Date.now() / 1_000)}
        value={textOf(value)}
        onInput={(event) => {
          const seconds = secondsOf(event.currentTarget.value)
          if (!Number.isNaN(seconds)) onChange(seconds)
        }}
      />
    </label>
  )
}

/** Returns `2026-03-01T09:30`: the Swedish format is what such fields need. */
function textOf(seconds: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: clock.zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(seconds * 1_000).replace(' ', 'T')
}

function secondsOf(text: string): number {
  const wanted = Date.parse(`${text}Z`) / 1_000
  if (Number.isNaN(wanted)) return wanted
  // The zone's offset is known once the time is: two rounds suffice, except where a clock is put back.
  let seconds = wanted
  for (let pass = 0; pass < 2; pass += 1) seconds += wanted - Date.parse(`${textOf(seconds)}Z`) / 1_000
  return seconds
}
