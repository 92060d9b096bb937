import { useEffect, useRef, useState } from 'preact/hooks'

/** Asks for a change. Resolves to the reason of a refusal, or to undefined when it was accepted. */
export type Save<Value> = (value: Value) => Promise<string | undefined>

export type SaveState = 'idle' | 'saving' | 'saved' | 'refused'

export interface Saving<Value> {
  /** The value to show: the new one while it is being saved, else the present one. */
  readonly shown: Value
  readonly state: SaveState
  readonly refusal: string
  save(wanted: Value): void
  /** Forgets a refusal, once the value that was refused is no longer shown. */
  forget(): void
}

/**
 * Milliseconds after an answer in which the change must come as an event; then the known value is shown
 * again.
 */
const EVENT_PATIENCE = 4_000
/** Milliseconds for which a row says that it is saved. */
const SAVED_SHOWN = 3_000

/** Saves changes of `value`; one counts as made when the answer has come and `value` itself has changed. */
export function useSaving<Value>(value: Value, onSave: Save<Value>): Saving<Value> {
  const [change, setChange] = useState<{
    readonly wanted: Value
    readonly before: string
    isTaken: boolean
  }>()
  const [state, setState] = useState<SaveState>('idle')
  const [refusal, setRefusal] = useState('')
  const latest = useRef(0)
  const known = JSON.stringify(value)

  useEffect(() => {
    if (!change?.isTaken) return undefined
    if (known === JSON.stringify(change.wanted) || known !== change.before) {
      setChange(undefined)
      setState('saved')
      return undefined
    }
    const timer = setTimeout(() => {
      setChange(undefined)
      setState('idle')
    }, EVENT_PATIENCE)
    return () => clearTimeout(timer)
  }, [change, known])
  useEffect(() => {
    if (state !== 'saved') return undefined
    const timer = setTimeout(() => setState('idle'), SAVED_SHOWN)
    return () => clearTimeout(timer)
  }, [state])

  const save = async (wanted: Value) => {
    latest.current += 1
    const mine = latest.current
    const made = { wanted, before: known, isTaken: false }
    setChange(made)
    setState('saving')
    setRefusal('')
    const said = await onSave(wanted)
    if (mine !== latest.current) return
    if (said === undefined) setChange({ ...made, isTaken: true })
    else {
      setChange(undefined)
      setState('refused')
      setRefusal(said)
    }
  }
  const forget = () => {
    if (state !== 'refused') return
    setState('idle')
    setRefusal('')
  }
  return { shown: change ? change.wanted : value, state, refusal, save, forget }
}
