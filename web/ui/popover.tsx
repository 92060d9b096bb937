import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Pixels between it and the edge of the window. */
const MARGIN = 8

interface PopoverProps {
  /** The element or rectangle beside which it opens. */
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
  readonly class?: string
  readonly label?: string
  readonly role?: 'dialog' | 'menu' | 'listbox'
  /** The side of the anchor at which it begins. */
  readonly align?: 'start' | 'end'
  /** Whether the surface itself takes the focus, and not its first field, which would bring up a phone's keyboard. */
  readonly isFocused?: boolean
  /** Whether the focus stays where it is, since the user has not asked for the surface. */
  readonly leavesFocus?: boolean
  readonly children: ComponentChildren
}

/**
 * A small surface in the top layer: below its anchor, or above it where there is more room. Closed by Escape
 * and by a click elsewhere.
 */
export function Popover({
  anchor,
  onClose,
  label,
  align = 'start',
  isFocused = false,
  leavesFocus = false,
  ...rest
}: PopoverProps) {
  const { children, ...props } = rest
  const surface = useRef<HTMLDivElement>(null)
  const opener = useRef(document.activeElement as HTMLElement | null)
  useLayoutEffect(() => {
    const element = surface.current!
    element.showPopover()
    const position = () =>
      positionBeside(element, anchor instanceof Element ? anchor.getBoundingClientRect() : anchor, align)
    position()
    const resized = new ResizeObserver(position)
    resized.observe(element)
    window.addEventListener('resize', position)
    if (!leavesFocus && !element.contains(document.activeElement)) {
      const first = isFocused
        ? element
        : element.querySelector<HTMLElement>('[autofocus], input, [role^="menuitem"], button, a[href]')
      ;(first ?? element).focus({ preventScroll: true })
    }
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose()
    }
    element.addEventListener('toggle', onToggle)
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', position)
      element.removeEventListener('toggle', onToggle)
      // The focus returns to where it was, unless another element has received it meanwhile.
      const focused = document.activeElement
      if (focused === document.body || focused === null || element.contains(focused)) {
        if (opener.current?.isConnected) opener.current.focus({ preventScroll: true })
      }
    }
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is its caller's
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is its caller's
    <div
      {...props}
      ref={surface}
      popover="auto"
      tabIndex={-1}
      aria-label={label}
      class={props.class ? `popover ${props.class}` : 'popover'}
      onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
    >
      {children}
    </div>
  )
}

function positionBeside(element: HTMLElement, anchor: DOMRect, align: 'start' | 'end'): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const fromRight = (align === 'end') !== (document.documentElement.dir === 'rtl')
  const left = fromRight ? anchor.right - width : anchor.left
  const below = window.innerHeight - anchor.bottom
  const opensUp = below < height + MARGIN && anchor.top > below
  const top = opensUp ? anchor.top - height - 4 : anchor.bottom + 4
  element.style.left = `${clamp(left, window.innerWidth - width)}px`
  element.style.top = `${clamp(top, window.innerHeight - height)}px`
}

function clamp(value: number, room: number): number {
  return Math.max(MARGIN, Math.min(value, room - MARGIN))
}
