// biome-ignore-all lint/a11y/useSemanticElements: a table has all of its rows
import type { ComponentChild, RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { EmojiChoice } from '../../actions/reactions.ts'
import type { EmojiName } from '../../state/emoji.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { inTone } from './emoji-data.ts'
import { EmojiGlyph } from './emoji-glyph.tsx'
import { type Category, type Cell, drawnRows, type GridRow } from './picker-rows.ts'

/** Pixels of a cell, in both directions: larger under a finger. */
export function rowHeight(): number {
  return matchMedia('(pointer: coarse)').matches ? 44 : 36
}

/** Scrolls no further than is needed to show a row. */
export function reveal(grid: HTMLElement | null, row: number): void {
  if (!grid) return
  const height = rowHeight()
  const most = row * height
  grid.scrollTop = Math.max(most + height - grid.clientHeight, Math.min(grid.scrollTop, most))
}

export function choiceOf({ name, code, type }: EmojiName): EmojiChoice {
  return { emoji_name: name, emoji_code: code, reaction_type: type }
}

export function glyphOf(emoji: EmojiName, tone: number): ComponentChild {
  const toned = inTone(emoji, tone)
  return toned ? <span class="reaction-emoji">{toned}</span> : <EmojiGlyph emoji={choiceOf(emoji)} />
}

interface EmojiGridProps {
  readonly grid: RefObject<HTMLDivElement | null>
  readonly rows: readonly GridRow[]
  readonly chosen: Cell | undefined
  readonly tone: number
  readonly onColumns: (columns: number) => void
  readonly onCategory: (category: Category | undefined) => void
  readonly onPoint: (cell: Cell) => void
  readonly onChoose: (emoji: EmojiName) => void
}

/** The emoji, of which only those near the view are in the document. The field above has the focus and names the chosen one. */
export function EmojiGrid(props: EmojiGridProps) {
  const { grid, rows, chosen, tone, onColumns, onCategory, onPoint, onChoose } = props
  const [view, setView] = useState({ top: 0, height: 300 })
  const height = rowHeight()
  useLayoutEffect(() => {
    const element = grid.current!
    const measure = () => {
      onColumns(Math.max(5, Math.floor(element.clientWidth / height)))
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    measure()
    return () => resized.disconnect()
  }, [])
  const first = rows[Math.min(rows.length - 1, Math.ceil(view.top / height))]?.category
  useLayoutEffect(() => onCategory(first), [first])
  const { from, to } = drawnRows(rows.length, { ...view, rowHeight: height })
  return (
    <div
      ref={grid}
      id="emoji-found"
      class="emoji-grid"
      role="grid"
      aria-label={t.emoji.label}
      aria-rowcount={rows.length}
      tabIndex={-1}
      onScroll={({ currentTarget }) =>
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <div class="emoji-room" role="presentation" style={{ blockSize: `${rows.length * height}px` }}>
        {rows.slice(from, to).map(({ category, emoji }, index) => {
          const row = from + index
          const place = { insetBlockStart: `${row * height}px`, blockSize: `${height}px` }
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
            <div key={row} class="emoji-row" role="row" aria-rowindex={row + 1} style={place}>
              {emoji.length === 0 ? (
                // biome-ignore lint/a11y/useFocusableInteractive: nothing is done with it
                <span class="emoji-category" role="rowheader">
                  {category && c.emoji.categories[category]}
                </span>
              ) : (
                emoji.map((one, column) => (
                  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and takes the keys
                  <div
                    key={column}
                    id={`emoji-${row}-${column}`}
                    role="gridcell"
                    aria-selected={chosen?.row === row && chosen.column === column}
                  >
                    <button
                      type="button"
                      tabIndex={-1}
                      aria-label={one.label ?? one.name.replaceAll('_', ' ')}
                      onPointerMove={() => {
                        if (chosen?.row !== row || chosen.column !== column) onPoint({ row, column })
                      }}
                      onClick={() => onChoose(one)}
                    >
                      {glyphOf(one, tone)}
                    </button>
                  </div>
                ))
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
