import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  readonly title: string
  /** The picture above it. */
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

/** A view without content: says so, and what to do next. */
export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-picture">
          <Icon name={icon} />
        </span>
      )}
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Still shapes, shown after a moment in which most content has come. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <div class="loading" role="status" aria-label={label}>
      {Array.from({ length: 9 }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** The number of new messages. Mentions and direct messages are emphasized; nothing is shown for none. */
export function Count({
  count,
  strong = false,
  label,
}: {
  readonly count: number
  readonly strong?: boolean
  readonly label: string
}) {
  if (count === 0) return null
  return (
    <span class={strong ? 'count count-strong' : 'count'}>
      <span aria-hidden="true">{count > 999 ? '999+' : count}</span>
      <span class="hidden-text">{label}</span>
    </span>
  )
}
