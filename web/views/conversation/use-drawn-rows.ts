import { useEffect, useRef, useState } from 'preact/hooks'
import { DrawnRows } from './drawn-rows.ts'
import type { Row } from './row.ts'

/** The row to open at; -1: the end. */
interface Opening {
  readonly row: number
  /** Whether the list is to be opened there, so that its drawn rows begin anew unless the row is among them. */
  readonly isPending: boolean
}

interface Drawing {
  readonly drawn: DrawnRows
  /** The rows to draw in this frame. */
  readonly shown: readonly Row[]
  /** Draws again, from the opening on if that is asked. */
  readonly redraw: (options?: { readonly anew: boolean }) => void
  /** Notes that the rows are in the document, with their layout. */
  readonly noteDrawn: () => void
}

/** Chooses the rows of a list to draw: those around its opening at first, and more with each frame until all are in the document. */
export function useDrawnRows(rows: readonly Row[], opening: Opening, isLoaded: boolean): Drawing {
  const drawn = useRef(new DrawnRows()).current
  const [, setStep] = useState(0)
  /** When the frame began whose rows are being added; 0: none are. */
  const stepBegan = useRef(0)
  if (opening.isPending && !drawn.has(opening.row, rows.length)) drawn.reset()
  drawn.advance(rows, opening.row)
  useEffect(() => {
    if (!isLoaded || drawn.isWhole) return
    const frame = requestAnimationFrame(() => {
      stepBegan.current = performance.now()
      drawn.beginFrame()
      setStep((step) => step + 1)
    })
    return () => cancelAnimationFrame(frame)
  })
  return {
    drawn,
    shown: rows.slice(drawn.from, drawn.to),
    redraw(options) {
      if (options?.anew) drawn.reset()
      setStep((step) => step + 1)
    },
    noteDrawn() {
      if (stepBegan.current === 0) return
      drawn.noteCost(performance.now() - stepBegan.current)
      stepBegan.current = 0
    },
  }
}
