import type { ComponentChildren } from 'preact'
import { address } from '../../navigation.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { folded, toggleFolded } from './sidebar-state.ts'

/** Limit of rows; the inbox has the rest. */
export const MAX_SHOWN = 30

interface SectionProps {
  /** The name under which the browser stores that it is folded. */
  readonly id: string
  readonly name: string
  /** The view that its name leads to; else the name folds it too. */
  readonly href?: string
  /** What stands at the end of its heading. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of the list, which can be folded; its rows decide what stays shown then. */
export function Section({ id, name, href, end, children }: SectionProps) {
  const isFolded = folded.value.has(id)
  const words = (
    <span class="one-line" dir="auto">
      {name}
    </span>
  )
  return (
    <section aria-label={name}>
      <h2 class="sidebar-heading">
        <button
          type="button"
          class={isFolded ? 'sidebar-fold sidebar-folded' : 'sidebar-fold'}
          aria-expanded={!isFolded}
          aria-label={name}
          onClick={() => toggleFolded(id)}
        >
          <Icon name="fold" />
          {!href && words}
        </button>
        {href && (
          <a href={href} aria-current={location.hash === href ? 'page' : undefined}>
            {words}
          </a>
        )}
        {end}
      </h2>
      {children}
    </section>
  )
}

export function isShown(narrow: Narrow): boolean {
  const shown = address.value
  return shown.view === 'narrow' && narrowKey(shown.narrow) === narrowKey(narrow)
}
