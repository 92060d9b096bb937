import './filter-chips.css'
import { useState } from 'preact/hooks'
import { readStored, store } from './stored.ts'

interface Chip {
  readonly key: string
  readonly name: string
  readonly isOn: boolean
  /** Where it leads; without, it is a button. */
  readonly href?: string
  readonly onClick?: () => void
}

interface FilterChipsProps {
  readonly label: string
  readonly chips: readonly Chip[]
}

/** A row of filters above a list, each on or off. */
export function FilterChips({ label, chips }: FilterChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll its own row
    <div class="filter-chips" role="group" aria-label={label}>
      {chips.map(({ key, name, isOn, href, onClick }) =>
        href === undefined ? (
          <button key={key} type="button" class="filter-chip" aria-pressed={isOn} onClick={onClick}>
            {name}
          </button>
        ) : (
          <a key={key} class="filter-chip" href={href} aria-current={isOn ? 'true' : undefined}>
            {name}
          </a>
        ),
      )}
    </div>
  )
}

/** Keeps in this browser which filters of a view are on. */
export function useStoredFilters(key: string): [ReadonlySet<string>, (on: readonly string[]) => void] {
  const [on, setOn] = useState<ReadonlySet<string>>(() => new Set(readStored<string[]>(key)))
  return [
    on,
    (next) => {
      setOn(new Set(next))
      store(key, next)
    },
  ]
}
