import { CopyButton } from '../../ui/copy-button.tsx'

/** A key, to be copied, with buttons beside it. */
export function ShownKey({
  value,
  children,
}: {
  readonly value: string
  readonly children?: preact.ComponentChildren
}) {
  return (
    <div class="settings-key">
      <code>{value}</code>
      <CopyButton value={value} />
      {children}
    </div>
  )
}
