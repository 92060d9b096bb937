import { t } from '../texts/texts.ts'

interface FilterFieldProps {
  readonly value: string
  readonly label?: string
  readonly class?: string
  readonly onFilter: (value: string) => void
}

/** A field that filters a list. Escape empties it before it is left. */
export function FilterField({ value, label, class: kind, onFilter }: FilterFieldProps) {
  return (
    <input
      class={`field ${kind ?? 'view-filter'}`}
      dir="auto"
      type="search"
      placeholder={label ?? t.inbox.filter}
      aria-label={label ?? t.inbox.filter}
      value={value}
      onInput={(event) => onFilter(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return
        event.stopPropagation()
        onFilter('')
      }}
    />
  )
}
