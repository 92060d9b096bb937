import { useLayoutEffect, useRef } from 'preact/hooks'
import { s } from '../texts/settings.ts'
import { type Act, ActButton } from './use-action.tsx'

interface OrderButtonsProps {
  /** Ids of all, in their present order. */
  readonly ids: readonly number[]
  readonly id: number
  readonly name: string
  /** Called with the ids of all, in the new order. */
  readonly onAct: Act<readonly number[]>
}

/** Buttons to move an item one step up or down. */
export function OrderButtons({ ids, id, name, onAct }: OrderButtonsProps) {
  const place = useRef<HTMLSpanElement>(null)
  const pressed = useRef<-1 | 1>(undefined)
  const at = ids.indexOf(id)
  const isFirst = at === 0
  const isLast = at === ids.length - 1
  // The item is moved within the document, and at the end of the list the pressed button is disabled: it loses the focus either way.
  useLayoutEffect(() => {
    const step = pressed.current
    pressed.current = undefined
    const focused = document.activeElement
    if (step === undefined || (focused !== document.body && !focused?.matches(':disabled'))) return
    const [up, down] = place.current?.querySelectorAll('button') ?? []
    const isAtEnd = step === -1 ? isFirst : isLast
    const next = (step === -1) === isAtEnd ? down : up
    next?.focus()
  }, [at])
  if (ids.length < 2 || at === -1) return null
  const move = (step: -1 | 1) => {
    pressed.current = step
    return onAct(exchanged(ids, at, at + step))
  }
  return (
    <span ref={place} class="order-buttons">
      <ActButton label={s.moveUp(name)} disabled={isFirst} onAct={() => move(-1)}>
        ↑
      </ActButton>
      <ActButton label={s.moveDown(name)} disabled={isLast} onAct={() => move(1)}>
        ↓
      </ActButton>
    </span>
  )
}

function exchanged(ids: readonly number[], one: number, other: number): number[] {
  const list = [...ids]
  list[one] = ids[other]!
  list[other] = ids[one]!
  return list
}
