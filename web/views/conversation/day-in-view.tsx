import type { ReadonlySignal } from '@preact/signals'
import { state } from '../../chat.ts'
import { dayKey, dayName } from '../../ui/time.tsx'
import { today } from '../preferences.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

interface DayInViewProps {
  readonly of: ReadonlySignal<number | undefined>
  /** Whether the reader is scrolling. */
  readonly isShown: ReadonlySignal<boolean>
  /** Whether the messages have no headings, below which the day would stand. */
  readonly isAlone: boolean
}

/** The day of the first messages on the screen, while the reader scrolls and no line with a day is near. Nothing for today. */
export function DayInView({ of: seconds, isShown, isAlone }: DayInViewProps) {
  today.value
  if (seconds.value === undefined || dayKey(seconds.value) === dayKey(Date.now() / 1_000)) return null
  const kinds = ['day-in-view', isAlone && 'day-in-view-alone', isShown.value && 'day-in-view-shown']
  return (
    <div class={kinds.filter(Boolean).join(' ')} aria-hidden="true">
      <span>{dayName(seconds.value)}</span>
    </div>
  )
}

/** Pixels below the upper edge at which a line with a day would touch it, or be read along with it. */
const NEAR = { from: -48, to: 104 }

/** Returns the time of the first message on the screen; undefined while a line with a day is near. */
export function timeInView(keeper: ScrollKeeper): number | undefined {
  const row = keeper.firstVisible
  if (!row || keeper.hasLine('.day-line', NEAR)) return undefined
  return state.messages.get(Number(row.dataset.id))?.timestamp
}
