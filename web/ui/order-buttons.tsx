import { s } from '../texts/settings.ts'
import { type Act, ActButton } from './acting.tsx'

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
  const at = ids.indexOf(id)
  if (ids.length < 2 || at === -1) return null
  return (
    <>
      <ActButton label={s.moveUp(name)} disabled={at === 0} onAct={() => onAct(exchanged(ids, at, at - 1))}>
        ↑
      </ActButton>
      <ActButton
        label={s.moveDown(name)}
        disabled={at === ids.length - 1}
        onAct={() => onAct(exchanged(ids, at, at + 1))}
      >
        ↓
      </ActButton>
    </>
  )
}

function exchanged(ids: readonly number[], one: number, other: number): number[] {
  const list = [...ids]
  list[one] = ids[other]!
  list[other] = ids[one]!
  return list
}
