import { takeFocus } from './take-focus.ts'
import { clock } from './time.tsx'
import { secondsOfTime, textOfTime } from './zoned-time.ts'

interface TimeFieldProps {
  readonly label: string
  /** UNIX seconds. */
  readonly value: number
  /** Whether it takes the focus when it appears. */
  readonly isFocused?: boolean
  readonly onChange: (seconds: number) => void
}

/** A day and an hour, in the zone in which times are shown. */
export function TimeField({ label, value, isFocused, onChange }: TimeFieldProps) {
  return (
    <label class="labelled">
      <span>{label}</span>
      <input
        ref={isFocused ? takeFocus : undefined}
        class="field"
        type="datetime-local"
        required
        min={textOfTime(Date.now() / 1_000, clock.zone)}
        value={textOfTime(value, clock.zone)}
        onInput={(event) => {
          const seconds = secondsOfTime(event.currentTarget.value, clock.zone)
          if (!Number.isNaN(seconds)) onChange(seconds)
        }}
      />
    </label>
  )
}
