import type { IconNode } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { tip } from './tooltip.ts'

interface ButtonProps {
  readonly kind?: 'plain' | 'main' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly autofocus?: boolean
  /** Label for screen readers, where the text alone is ambiguous. */
  readonly label?: string
  readonly onClick?: (event: MouseEvent) => void
  readonly children: ComponentChildren
}

export function Button({ kind = 'plain', type = 'button', label, ...props }: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      class={kind === 'plain' ? 'button' : `button button-${kind}`}
      aria-label={label}
    />
  )
}

interface IconButtonProps
  extends Pick<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'aria-pressed' | 'aria-expanded' | 'aria-haspopup' | 'aria-controls' | 'tabIndex'
  > {
  readonly icon: IconName | IconNode
  /** Description of its action, shown when the pointer rests on it. */
  readonly label: string
  /** The usual key with the same effect. */
  readonly hint?: string
  readonly filled?: boolean
  readonly disabled?: boolean
  readonly class?: string
  readonly buttonRef?: Ref<HTMLButtonElement>
  readonly onClick?: (event: MouseEvent) => void
}

export function IconButton({ icon, label, hint, filled, buttonRef, ...props }: IconButtonProps) {
  return (
    <button
      {...props}
      ref={buttonRef}
      type="button"
      class={props.class ? `icon-button ${props.class}` : 'icon-button'}
      aria-label={label}
      {...tip(label, hint)}
    >
      <Icon name={icon} filled={filled} />
    </button>
  )
}
