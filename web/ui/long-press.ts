import { useRef } from 'preact/hooks'

/** Milliseconds for which a finger rests. */
const RESTS_MS = 500
/** Pixels that a resting finger moves at most. */
const MOVES = 10

/** Returns the handlers of an element that acts when a finger rests on it. The click that some browsers send afterwards is dropped. */
export function useLongPress(act: () => void) {
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; x: number; y: number; isLong: boolean }>({
    x: 0,
    y: 0,
    isLong: false,
  }).current
  const end = () => clearTimeout(press.timer)
  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      press.isLong = false
      if (event.pointerType !== 'touch') return
      press.x = event.clientX
      press.y = event.clientY
      press.timer = setTimeout(() => {
        press.isLong = true
        act()
      }, RESTS_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - press.x, clientY - press.y) > MOVES) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The mouse's events that follow would press what has opened.
    onTouchEnd: (event: TouchEvent) => {
      if (press.isLong && event.cancelable) event.preventDefault()
    },
    onContextMenu: (event: Event) => {
      if ((event as PointerEvent).pointerType === 'touch') event.preventDefault()
    },
    onClickCapture: (event: Event) => {
      if (!press.isLong) return
      press.isLong = false
      event.preventDefault()
      event.stopImmediatePropagation()
    },
  }
}
