import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { failureText } from '../../texts/failure-text.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/empty.tsx'
import { announce } from '../announcement.tsx'

/**
 * Returns the refusal of an action; undefined when it was done. `wrong`: what is said in the page's language when only what was entered
 * can be the reason.
 */
export async function refusalOf(action: Promise<unknown>, wrong?: string): Promise<string | undefined> {
  try {
    await action
    return undefined
  } catch (error) {
    return (failureOf(error).code === 'BAD_REQUEST' && wrong) || failureText(error)
  }
}

/** Runs an action, announces it, and offers an undo. */
export function undoable(
  action: Promise<unknown>,
  text: string,
  undo: () => Promise<unknown>,
): Promise<string | undefined> {
  return refusalOf(action.then(() => announce(text, undo)))
}

export interface Fetched<Value> {
  readonly value: Value | undefined
  readonly refusal: string | undefined
  /** Fetches again; what is shown stays until the answer is there. */
  reload(): Promise<void>
}

/** Fetches data when the view is shown, and again when one of `dependencies` changes. */
export function useFetched<Value>(
  load: () => Promise<Value>,
  dependencies: readonly unknown[] = [],
): Fetched<Value> {
  const [value, setValue] = useState<Value>()
  const [refusal, setRefusal] = useState<string>()
  const latest = useRef(0)
  const reload = async () => {
    latest.current += 1
    const mine = latest.current
    setRefusal(undefined)
    let found: Value | undefined
    const said = await refusalOf(
      load().then((answer) => {
        found = answer
      }),
    )
    if (mine !== latest.current) return
    if (said === undefined) setValue(() => found)
    setRefusal(said)
  }
  useEffect(() => {
    reload()
    return () => {
      latest.current += 1
    }
  }, dependencies)
  return { value, refusal, reload }
}

/** Milliseconds between two looks at something that is under way. */
const LOOK_AGAIN_MS = 3_000

/** Fetches again every few seconds, as long as something is under way. */
export function useReloadWhile(isUnderWay: boolean, reload: () => Promise<unknown>): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => void latest.current(), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isUnderWay])
}

/** Shows why the request failed, and a button to retry. */
export function FetchFailed({ of: { refusal, reload } }: { readonly of: Fetched<unknown> }) {
  return (
    <div class="fetch-failed">
      <p class="refusal" role="alert" dir="auto">
        {refusal}
      </p>
      <Button onClick={reload}>{t.tryAgain}</Button>
    </div>
  )
}

interface FetchedListProps<One> {
  readonly of: Fetched<readonly One[]>
  /** The sentence for an empty list. */
  readonly nothing: string
  readonly children: (list: readonly One[]) => ComponentChildren
}

/** A fetched list in its four states. */
export function FetchedList<One>({ of, nothing, children }: FetchedListProps<One>) {
  const { value, refusal } = of
  if (refusal !== undefined) return <FetchFailed of={of} />
  if (value === undefined) return <Loading label={t.loading} />
  if (value.length === 0) return <p class="setting-nothing">{nothing}</p>
  return <>{children(value)}</>
}
