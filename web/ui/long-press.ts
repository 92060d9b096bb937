import { useRef } from 'preact/hooks'

/** Milliseconds for which a finger rests. */
const RESTS_MS = 500
/** Pixels that a resting finger moves at most. */
const MOVES = 10

/**
 * Returns the handlers of an element that acts when a finger rests on it. The click that some browsers send afterwards is dropped.
 * `released`: called when that finger leaves the screen.
 */
export function useLongPress(act: (pressed: PointerEvent) => void, released = (_: PointerEvent) => {}) {
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; x: number; y: number; isLong: boolean }>({
    x: 0,
    y: 0,
    isLong: false,
  }).current
  const end = () => clearTimeout(press.timer)
  const rest = (event: PointerEvent) => {
    end()
    if (press.isLong) return
    press.isLong = true
    act(event)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      press.isLong = false
      if (!isTouch(event)) return
      press.x = event.clientX
      press.y = event.clientY
      press.timer = setTimeout(rest, RESTS_MS, event)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.x, clientY - press.y) > MOVES) end()
    },
    onPointerUp: (event: PointerEvent) => {
      end()
      if (press.isLong) released(event)
    },
    onPointerCancel: end,
    // The mouse's events that follow would press what has opened.
    onTouchEnd: (event: TouchEvent) => {
      if (press.isLong && event.cancelable) event.preventDefault()
    },
    // Some browsers send it while the finger rests, and then take the finger for the beginning of a drag.
    onContextMenu: (event: MouseEvent) => {
      if (!isTouch(event)) return
      event.preventDefault()
      rest(event)
    },
    onClickCapture: (event: Event) => {
      if (!press.isLong) return
      press.isLong = false
      event.preventDefault()
      event.stopImmediatePropagation()
    },
  }
}

function isTouch(event: MouseEvent): event is PointerEvent {
  return (event as PointerEvent).pointerType === 'touch'
}
