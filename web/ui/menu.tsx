import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { keyInPlaceOf, signOf } from './keys.ts'
import { Popover } from './popover.tsx'

interface MenuProps {
  readonly anchor: Element | DOMRect
  readonly label: string
  readonly align?: 'start' | 'end'
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A menu: arrow keys and first letters go through its items; choosing one closes it. */
export function Menu({ children, ...props }: MenuProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.menu-item')]
    const index = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key]
    const item =
      next === undefined
        ? nextByLetter([...items.slice(index + 1), ...items.slice(0, index + 1)], event)
        : items[(next + items.length) % items.length]
    if (!item) return
    event.preventDefault()
    item.focus()
  }
  return (
    <Popover {...props} class="menu" role="menu">
      <div role="none" onKeyDown={onKeyDown} onClick={(event) => isChoice(event) && props.onClose()}>
        {children}
      </div>
    </Popover>
  )
}

/** Returns the first item whose text begins with the typed letter, whatever its case and accents. */
function nextByLetter(
  items: readonly HTMLElement[],
  { key, ctrlKey, altKey, metaKey }: KeyboardEvent,
): HTMLElement | undefined {
  if (ctrlKey || altKey || metaKey || !/^[\p{L}\p{N}]$/u.test(key)) return undefined
  const { compare } = new Intl.Collator(document.documentElement.lang, { sensitivity: 'base' })
  return items.find(({ textContent }) => {
    const first = /[\p{L}\p{N}]/u.exec(textContent)?.[0]
    return first !== undefined && compare(first, key) === 0
  })
}

function isChoice({ target }: Event): boolean {
  const item = (target as Element).closest('.menu-item')
  return item !== null && !item.hasAttribute('data-stays')
}

interface MenuItemProps {
  readonly icon?: IconName | IconNode
  readonly filled?: boolean
  /** The usual key with the same effect. */
  readonly hint?: string
  readonly danger?: boolean
  readonly checked?: boolean
  /** What stands at its end. */
  readonly end?: ComponentChildren
  readonly href?: string
  /** Whether it leads to where the user is. */
  readonly current?: boolean
  /** Whether the menu stays open after it. */
  readonly stays?: boolean
  /** Whether it looks like an item of a menu, but is in none. */
  readonly apart?: boolean
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

export function MenuItem({
  icon,
  filled,
  hint,
  danger,
  checked,
  end,
  href,
  current,
  stays,
  apart = false,
  onClick,
  children,
}: MenuItemProps) {
  const cap = hint && signOf(keyInPlaceOf(hint))
  const role = apart ? undefined : 'menuitem'
  const content = (
    <>
      {icon && <Icon name={icon} filled={filled} />}
      <span>{children}</span>
      {cap && <kbd>{cap}</kbd>}
      {end}
      {checked && <Icon name="saved" />}
    </>
  )
  const shared = {
    class: danger ? 'menu-item menu-item-danger' : 'menu-item',
    'data-stays': stays ? '' : undefined,
    onClick,
  }
  if (href !== undefined) {
    return (
      <a {...shared} role={role} href={href} aria-current={current ? 'page' : undefined}>
        {content}
      </a>
    )
  }
  return checked === undefined ? (
    <button {...shared} type="button" role={role}>
      {content}
    </button>
  ) : (
    <button {...shared} type="button" role="menuitemradio" aria-checked={checked}>
      {content}
    </button>
  )
}

export function MenuLine() {
  return <hr class="menu-line" />
}
