import { useState } from 'preact/hooks'
import { Refusal } from '../ui/refusal.tsx'
import { refusalOf } from './settings/fetched.tsx'

/** The action of a dialog: `run` carries it out, then calls `onDone`, or shows in `refusal` why it was refused. */
export function useAction(onDone: () => void) {
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = async (action: () => Promise<void>) => {
    setBusy(true)
    setSaid('')
    const refusal = await refusalOf(action())
    setBusy(false)
    if (refusal === undefined) onDone()
    else setSaid(refusal)
  }
  return { run, refusal: <Refusal>{said}</Refusal>, isBusy }
}
