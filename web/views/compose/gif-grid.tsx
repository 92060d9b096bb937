// biome-ignore-all lint/a11y/useSemanticElements: a table has no field that names its chosen cell
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Gif } from '../../state/gifs.ts'
import { c } from '../../texts/compose.ts'
import { settings } from '../preferences.ts'

/** Columns, as gif-picker.css has them. */
const COLUMNS = 2
/** Rows that PageUp and PageDown go. */
const ROWS_OF_PAGE = 3
/** The distance from the end, in pixels, at which more is loaded. */
const NEAR_END = 300

/** Returns the GIF to which a key leads: the same one at an end; undefined for other keys, or without GIFs. */
export function gifAfter(
  key: string,
  {
    chosen,
    count,
    isMirrored,
  }: { readonly chosen: number; readonly count: number; readonly isMirrored: boolean },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: isMirrored ? -1 : 1,
    ArrowLeft: isMirrored ? 1 : -1,
    ArrowDown: COLUMNS,
    ArrowUp: -COLUMNS,
    PageDown: COLUMNS * ROWS_OF_PAGE,
    PageUp: -COLUMNS * ROWS_OF_PAGE,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return undefined
  return Math.max(0, Math.min(count - 1, chosen + step))
}

interface GifGridProps {
  readonly grid: RefObject<HTMLDivElement | null>
  readonly gifs: readonly Gif[]
  readonly chosen: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (gif: Gif) => void
  /** Called when the end comes near. */
  readonly onEnd: () => void
}

/** The GIFs that were found. The field above has the focus and names the chosen one. */
export function GifGrid({ grid, gifs, chosen, onPoint, onChoose, onEnd }: GifGridProps) {
  useLayoutEffect(() => {
    document.getElementById(`gif-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const wish = settings().web_animate_image_previews
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const moves = (index: number) =>
    (wish === 'always' && !isStill) || (wish !== 'never' && index === chosen && !isStill)
  const rows = Array.from({ length: Math.ceil(gifs.length / COLUMNS) }, (_, row) => row * COLUMNS)
  return (
    <div
      ref={grid}
      id="gif-found"
      class="gif-grid"
      role="grid"
      aria-label={c.gif}
      tabIndex={-1}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight > scrollHeight - NEAR_END) onEnd()
      }}
    >
      {rows.map((from) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
        <div key={from} class="gif-row" role="row">
          {gifs.slice(from, from + COLUMNS).map((gif, column) => {
            const index = from + column
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and takes the keys
              <div key={gif.id} id={`gif-${index}`} role="gridcell" aria-selected={index === chosen}>
                <button
                  type="button"
                  tabIndex={-1}
                  onPointerMove={() => index !== chosen && onPoint(index)}
                  onClick={() => onChoose(gif)}
                >
                  <img src={moves(index) ? gif.preview : gif.still} alt={gif.title || c.gif} loading="lazy" />
                </button>
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
