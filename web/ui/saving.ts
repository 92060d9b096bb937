import { useEffect, useRef, useState } from 'preact/hooks'

/** Asks for a change. Resolves to what was said against it, or to undefined when it was taken. */
export type Save<Value> = (value: Value) => Promise<string | undefined>

export type SaveState = 'idle' | 'saving' | 'saved' | 'refused'

export interface Saving<Value> {
  /** What to show: what is wanted, as long as it is being saved, else what is. */
  readonly shown: Value
  readonly state: SaveState
  readonly refusal: string
  save(wanted: Value): void
}

/** Milliseconds after an answer in which the change must have come as an event, else what is shown is what is known. */
const EVENT_PATIENCE = 4_000
/** Milliseconds that a row says that it is saved. */
const SAVED_SHOWN = 3_000

/** A change of `value`, which counts as made when the answer is there and `value` itself has changed. */
export function useSaving<Value>(value: Value, onSave: Save<Value>): Saving<Value> {
  const [wish, setWish] = useState<{ readonly wanted: Value; readonly before: string; isTaken: boolean }>()
  const [state, setState] = useState<SaveState>('idle')
  const [refusal, setRefusal] = useState('')
  const latest = useRef(0)
  const known = JSON.stringify(value)

  useEffect(() => {
    if (!wish?.isTaken) return undefined
    if (known === JSON.stringify(wish.wanted) || known !== wish.before) {
      setWish(undefined)
      setState('saved')
      return undefined
    }
    const timer = setTimeout(() => {
      setWish(undefined)
      setState('idle')
    }, EVENT_PATIENCE)
    return () => clearTimeout(timer)
  }, [wish, known])
  useEffect(() => {
    if (state !== 'saved') return undefined
    const timer = setTimeout(() => setState('idle'), SAVED_SHOWN)
    return () => clearTimeout(timer)
  }, [state])

  const save = async (wanted: Value) => {
    latest.current += 1
    const mine = latest.current
    const made = { wanted, before: known, isTaken: false }
    setWish(made)
    setState('saving')
    setRefusal('')
    const said = await onSave(wanted)
    if (mine !== latest.current) return
    if (said === undefined) setWish({ ...made, isTaken: true })
    else {
      setWish(undefined)
      setState('refused')
      setRefusal(said)
    }
  }
  return { shown: wish ? wish.wanted : value, state, refusal, save }
}
