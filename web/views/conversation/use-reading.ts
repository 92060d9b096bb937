import { useEffect, useMemo } from 'preact/hooks'
import type { MessageWindow } from '../../state/windows.ts'
import { Reading } from './reading.ts'

/** Records what is read in a list while it is there. A move may give the list another window. */
export function useReading(window: MessageWindow): Reading {
  const reading = useMemo(() => new Reading(window), [])
  reading.window = window
  useEffect(() => reading.start(), [])
  return reading
}
