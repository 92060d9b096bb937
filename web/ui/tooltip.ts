import { keyInPlaceOf, signOf } from './keys.ts'

/** The text that an element shows under a resting pointer, or when a key focuses it, with the keys of the same effect. */
export interface Tip {
  readonly 'data-tip': string
  readonly 'data-keys'?: string | undefined
}

/** Returns the attributes that give an element a tooltip. `key`: the usual one with the same effect; the tooltip has what is pressed in its place. */
export function tip(text: string, key?: string): Tip {
  const keys = key === undefined ? '' : signOf(keyInPlaceOf(key))
  return { 'data-tip': text, 'data-keys': keys || undefined }
}

/** Milliseconds for which the pointer rests before it is shown. */
const AFTER_MS = 300
/** Pixels between it and its element, and the edge of the window. */
const GAP = 6

/**
 * Shows tooltips, one at a time, in the top layer. They take no focus; any key hides one; it stays while the pointer is on it. Returns a
 * function that ends this.
 */
export function showTooltips(): () => void {
  const box = document.createElement('div')
  box.id = 'tooltip'
  box.className = 'tooltip'
  box.role = 'tooltip'
  box.popover = 'manual'
  let shown: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the focus brought it, so that a resting pointer does not hide it when the page changes below. */
  let isOfFocus = false
  /** What was pressed and is still below the pointer: what it has opened is not covered. */
  let pressed: HTMLElement | undefined

  const hide = () => {
    clearTimeout(timer)
    isOfFocus = false
    if (!shown) return
    if (shown.getAttribute('aria-describedby') === box.id) shown.removeAttribute('aria-describedby')
    shown = undefined
    // It may have been removed with the document's body.
    if (box.isConnected) box.hidePopover()
  }
  const show = (element: HTMLElement) => {
    hide()
    const { tip: text = '', keys } = element.dataset
    if (!element.isConnected || text === '') return
    box.replaceChildren(text, ...keyCaps(keys))
    document.body.append(box)
    box.showPopover()
    place(box, element.getBoundingClientRect())
    shown = element
    // The name is not said twice.
    const isNamed = element.ariaLabel === text || element.textContent === text
    if (!isNamed && !element.hasAttribute('aria-describedby'))
      element.setAttribute('aria-describedby', box.id)
  }
  const wait = (element: HTMLElement) => {
    clearTimeout(timer)
    if (element === shown) return
    // Moving from one to the next needs no second wait.
    if (shown) show(element)
    else timer = setTimeout(() => show(element), AFTER_MS)
  }
  const leave = () => {
    if (!isOfFocus) hide()
  }
  const withTip = ({ target }: Event) =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-tip]') ?? undefined) : undefined
  const listeners = {
    pointerover: (event: Event) => {
      if ((event as PointerEvent).pointerType === 'touch') return
      if (event.target instanceof Node && box.contains(event.target)) return
      const element = withTip(event)
      if (element !== pressed) pressed = undefined
      if (!element) leave()
      else if (element !== pressed) {
        isOfFocus = false
        wait(element)
      }
    },
    pointerout: (event: Event) => {
      if ((event as PointerEvent).relatedTarget === null) leave()
    },
    focusin: (event: Event) => {
      const element = withTip(event)
      if (!element?.matches(':focus-visible')) hide()
      else {
        wait(element)
        isOfFocus = true
      }
    },
    focusout: hide,
    pointerdown: (event: Event) => {
      hide()
      pressed = withTip(event)
    },
    // Messages that arrive scroll their list, which moves no button outside it.
    scroll: ({ target }: Event) => {
      if (shown && target instanceof Node && target.contains(shown)) hide()
    },
    keydown: hide,
  }
  for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener, true)
  return () => {
    hide()
    box.remove()
    for (const [type, listener] of Object.entries(listeners)) {
      document.removeEventListener(type, listener, true)
    }
  }
}

/** Returns each key as a cap: `Ctrl+K` is two. */
function keyCaps(keys: string | undefined): Node[] {
  return (keys?.match(/\+$|[^+\s]+/g) ?? []).map((key) => {
    const cap = document.createElement('kbd')
    cap.textContent = key
    return cap
  })
}

/** Below its element and centred on it, or above where there is no room. */
function place(box: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box
  const below = anchor.bottom + GAP
  const top = below + height + GAP > window.innerHeight ? anchor.top - height - GAP : below
  const left = anchor.left + anchor.width / 2 - width / 2
  box.style.top = `${Math.max(GAP, top)}px`
  box.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - width - GAP))}px`
}
