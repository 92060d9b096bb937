import { t } from '../texts/texts.ts'

interface FilterFieldProps {
  readonly value: string
  readonly onFilter: (value: string) => void
}

/** The field in the head of a view that filters the view's list. */
export function FilterField({ value, onFilter }: FilterFieldProps) {
  return (
    <input
      class="field view-filter"
      dir="auto"
      type="search"
      placeholder={t.inbox.filter}
      aria-label={t.inbox.filter}
      value={value}
      onInput={(event) => onFilter(event.currentTarget.value)}
    />
  )
}
