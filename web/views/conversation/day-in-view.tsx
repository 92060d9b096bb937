import type { ReadonlySignal } from '@preact/signals'
import { state } from '../../chat.ts'
import { dayKey, dayName } from '../../ui/time.tsx'
import { today } from '../preferences.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

interface DayInViewProps {
  readonly of: ReadonlySignal<number | undefined>
  /** Whether the messages have no headings, at whose end the day could stand. */
  readonly isAlone: boolean
}

/** The day of the first messages on the screen, while the line with their day is above it. Nothing for today. */
export function DayInView({ of: seconds, isAlone }: DayInViewProps) {
  today.value
  if (seconds.value === undefined || dayKey(seconds.value) === dayKey(Date.now() / 1_000)) return null
  return (
    <div class={isAlone ? 'day-in-view day-in-view-alone' : 'day-in-view'} aria-hidden="true">
      <span>{dayName(seconds.value)}</span>
    </div>
  )
}

/** Returns the time of the first message on the screen; undefined while the line with its day is there too. */
export function timeInView(keeper: ScrollKeeper): number | undefined {
  const row = keeper.firstVisible
  if (!row || keeper.hasLineInView(row, '.day-line')) return undefined
  return state.messages.get(Number(row.dataset.id))?.timestamp
}
