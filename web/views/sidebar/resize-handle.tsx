import { useLayoutEffect } from 'preact/hooks'
import { t } from '../../texts/texts.ts'
import { setWidth, WIDTHS, width } from './sidebar-state.ts'

const STEP = 16

/** The edge of the sidebar: dragged, or moved by the arrow keys, it makes it wider; a double click gives it its usual width. */
export function ResizeHandle() {
  const px = width.value
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--sidebar', `${px}px`)
  }, [px])
  const isRightToLeft = () => document.documentElement.dir === 'rtl'
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button !== 0) return
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: PointerEvent) =>
      setWidth(isRightToLeft() ? window.innerWidth - clientX : clientX)
    const end = () => handle.removeEventListener('pointermove', move)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
    event.preventDefault()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setWidth(px + (isRightToLeft() ? -step : step))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is no thematic break
    <div
      class="sidebar-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t.sidebar.width}
      aria-valuenow={px}
      aria-valuemin={WIDTHS.min}
      aria-valuemax={WIDTHS.max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onDblClick={() => setWidth(WIDTHS.usual)}
      onKeyDown={onKeyDown}
    />
  )
}
