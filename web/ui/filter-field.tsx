import { useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { IconButton } from './button.tsx'
import { takeFocus } from './take-focus.ts'

interface FilterFieldProps {
  readonly value: string
  readonly label?: string
  readonly class?: string
  readonly onFilter: (value: string) => void
  /** Called when it is left empty; it then has the focus from the beginning. */
  readonly onLeave?: () => void
}

/** A field that filters a list. Escape empties it before it is left. */
export function FilterField({ value, label, class: kind, onFilter, onLeave }: FilterFieldProps) {
  return (
    <input
      ref={onLeave && takeFocus}
      class={`field ${kind ?? 'view-filter'}`}
      dir="auto"
      type="search"
      placeholder={label ?? t.inbox.filter}
      aria-label={label ?? t.inbox.filter}
      value={value}
      onInput={(event) => onFilter(event.currentTarget.value)}
      onBlur={() => value.trim() === '' && onLeave?.()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return
        event.stopPropagation()
        onFilter('')
      }}
    />
  )
}

/** A filter behind a button, for a list that is mostly read as it is. */
export function ViewFilter({ value, onFilter }: Pick<FilterFieldProps, 'value' | 'onFilter'>) {
  const [isOpen, setOpen] = useState(value !== '')
  return isOpen ? (
    <FilterField value={value} onFilter={onFilter} onLeave={() => setOpen(false)} />
  ) : (
    <IconButton
      icon="filter"
      class="view-filter-open"
      label={t.inbox.filter}
      hint="f"
      onClick={() => setOpen(true)}
    />
  )
}
